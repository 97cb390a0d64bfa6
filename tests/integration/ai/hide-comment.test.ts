import { describe, expect, it } from 'vitest';
import { minuteMs, setClock, timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { hideComment } from '#schemas/conversations.ts';
import { storeConversation, storeMessage } from '#scripts/fixtures/conversations.ts';
import { signedEvent } from '#scripts/fixtures/network-events.ts';
import { storeWebhook } from '#scripts/fixtures/organization-webhooks.ts';
import { settle } from '#tests/support/aftermath.ts';
import { call } from '#tests/support/api.ts';
import { deathsOf, untilDeath, waitForNobody } from '#tests/support/deaths.ts';
import { depth } from '#tests/support/depth.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import { sandbox } from '#tests/support/mails.ts';
import { deliver } from '#tests/support/network-events.ts';
import { receivedEvents } from '#tests/support/received-events.ts';
import { drainWork } from '#tests/support/work.ts';
import { type CommentActionName, changesAt, commentSetup } from './setup.ts';

waitForNobody();

const world = await commentSetup();

describe('POST /ai/conversations/…/messages/{message_id}/hide', () => {
  it('hides the comment at its network, shows it and sends the event once', async () => {
    const { receiver } = await storeWebhook(world.owner.organizationId, {
      events: ['comment.hidden'],
    });
    const comment = await world.comment();

    const first = await world.act('hide', comment);
    const calls = await changesAt('FACEBOOK');
    const second = await world.act('hide', comment);

    expect([first.status, first.body.messageRecord]).toMatchObject([
      200,
      { id: comment.messageId, isHidden: true, isLiked: false, deletedAt: null },
    ]);
    expect([second.status, second.body.messageRecord]).toEqual([200, first.body.messageRecord]);
    expect(await changesAt('FACEBOOK')).toEqual(calls);
    expect(await world.state(comment)).toMatchObject({
      message: { isHidden: true, text: 'What does an engine cost?' },
      atNetwork: { isHidden: true },
    });
    await drainWork();
    expect(await receivedEvents(receiver)).toMatchObject([
      {
        type: 'comment.hidden',
        data: {
          conversationId: comment.conversationId,
          messageId: comment.messageId,
          socialAccountId: comment.account.id,
          moderationRule: null,
        },
      },
    ]);
  });

  it('reports the missing capability for other messages and for networks without it', async () => {
    const privately = await storeConversation(world.owner.organizationId);
    const message = await storeMessage(privately, { type: 'message' });
    const answer = await world.act('hide', {
      conversationId: privately.id,
      messageId: message.id,
    });
    const linkedIn = await world.act('hide', await world.comment('LINKEDIN'));

    expect([answer.status, answer.body.message]).toEqual([
      400,
      ['hideComment needs a comment of a customer'],
    ]);
    expect([linkedIn.status, linkedIn.body.message]).toEqual([
      400,
      'LINKEDIN does not support hideComment',
    ]);
  });

  it('returns 404 for an unknown message or conversation', async () => {
    const comment = await world.comment();
    const unknown = '0192f0c4-3c4d-7293-a4b5-1f2a3b4c5d6e';

    expect((await world.act('hide', { ...comment, messageId: unknown })).status).toBe(404);
    expect((await world.act('hide', { ...comment, conversationId: unknown })).status).toBe(404);
  });

  /** Each action, with a state that it changes, and others that change this state, too. */
  const actions: ReadonlyArray<
    readonly [CommentActionName, object, readonly [CommentActionName, CommentActionName]]
  > = [
    ['hide', {}, ['like', 'delete']],
    ['unhide', { isHidden: true }, ['like', 'delete']],
    ['like', {}, ['hide', 'delete']],
    ['unlike', { isLiked: true }, ['hide', 'delete']],
    ['delete', {}, ['like', 'hide']],
  ];

  async function commentIn(state: object) {
    const comment = await world.comment();
    const { conversationId, messageId } = comment;
    const key = keys.conversationMessage(world.owner.organizationId, conversationId, messageId);
    await write(change(key, { set: { isLiked: null, ...state } }));

    return { comment, key };
  }

  it.each(actions)(
    'continues an unfinished %s, and returns 409 for others',
    async (action, state, others) => {
      const pendingAction = { action, since: timestamp() };
      const { comment, key } = await commentIn({ ...state, pendingAction });

      for (const other of others) {
        const { status, body } = await world.act(other, comment);
        expect([other, status, body.message]).toEqual([
          other,
          409,
          'Another action on this comment is in progress. Try again',
        ]);
      }
      expect((await world.act(action, comment)).status).toBe(200);
      expect(await get(key)).not.toHaveProperty('pendingAction');
    },
  );

  it.each(actions)('accepts another action after a failed %s', async (action, state, [other]) => {
    const { comment } = await commentIn(state);
    const { id } = await sandbox.addFault({ service: 'facebook', mode: 'down' });
    expect((await world.act(action, comment)).status).toBe(502);
    await sandbox.endFault(id);

    expect((await world.act(other, comment)).status).toBe(200);
  });

  it('returns 502 and changes nothing while the network is down', async () => {
    const comment = await world.comment();
    const before = await world.state(comment);
    for (const mode of ['down', 'refuse'] as const) {
      const { id } = await sandbox.addFault({ service: 'facebook', method: 'POST', mode });
      expect((await world.act('hide', comment)).status).toBe(502);
      await sandbox.endFault(id);
    }
    await settle();

    expect(await world.state(comment)).toEqual(before);
    expect((await world.act('unhide', comment)).status).toBe(200);
    expect((await world.act('hide', comment)).status).toBe(200);
  });

  it('returns 403 if the token lacks the permission, and changes nothing', async () => {
    const platformUserId = String(Date.now());
    const scopes = ['tweet.read', 'tweet.write', 'users.read'];
    const { accessToken } = await sandbox
      .network('TWITTER')
      .issueTokens({ userId: platformUserId, scopes });
    const comment = await world.comment('TWITTER', {}, { platformUserId, accessToken });

    expect((await world.act('hide', comment)).status).toBe(403);
    expect((await world.state(comment)).message.isHidden).toBe(false);
  });

  it("ignores the network's own event about it", async () => {
    const comment = await world.comment();
    await world.act('hide', comment);
    const { body, headers } = await signedEvent(comment.account, { eventId: comment.commentId });
    await deliver('FACEBOOK', { body, headers });
    await drainWork('inbound-events');

    expect(await world.state(comment)).toMatchObject({ messages: 1, message: { isHidden: true } });
  });

  it('is repeated a minute after its process crashed', async () => {
    const comment = await world.comment();
    const death = { at: 'a call', nth: 1, when: 'before' } as const;
    const { hasDied } = await untilDeath(death, () => call(hideComment, world.callOf(comment)));
    expect(hasDied).toBe(true);
    await runDueWork();
    expect((await world.state(comment)).message.isHidden).toBe(false);

    setClock(() => Date.now() + minuteMs);
    await runDueWork();

    expect((await world.state(comment)).message.isHidden).toBe(true);
  });

  it('is finished if its process crashes anywhere, and can be repeated safely', async () => {
    const { receiver } = await storeWebhook(world.owner.organizationId, {
      events: ['comment.hidden'],
    });
    const attempt = async (death: Parameters<typeof untilDeath>[0]) => {
      const comment = await world.comment();
      const request = world.callOf(comment, { 'idempotency-key': comment.messageId });
      const life = await untilDeath(death, () => call(hideComment, request));

      return { comment, request, life };
    };
    const { life } = await attempt({
      at: 'a write',
      nth: Number.POSITIVE_INFINITY,
      when: 'before',
    });
    const deaths = [
      ...deathsOf(life.writes, depth(2, Number.POSITIVE_INFINITY)),
      ...deathsOf(life.calls, 2, 'a call'),
    ];
    const repeated: Awaited<ReturnType<typeof attempt>>[] = [];
    for (const death of deaths) {
      const crashed = await attempt(death);
      expect(crashed.life.hasDied).toBe(true);
      await crashed.life.setFree();
      repeated.push(crashed);
    }
    for (const { comment, request } of repeated) {
      const { status, body } = await call(hideComment, request);
      expect([status, body.messageRecord?.isHidden]).toEqual([200, true]);
      expect((await world.state(comment)).atNetwork?.isHidden).toBe(true);
    }
    // The process crashes and the request is not retried, so the planned work repeats the action.
    const lost = await attempt({ at: 'a call', nth: 1, when: 'after' });
    await settle();
    expect(await world.state(lost.comment)).toMatchObject({
      message: { isHidden: true },
      atNetwork: { isHidden: true },
    });
    const hidden = [...repeated, lost].map(({ comment }) => comment.messageId);
    const told = (await receivedEvents(receiver)).map(({ data }) => data.messageId);
    expect(told.filter((id) => hidden.includes(id)).toSorted()).toEqual(hidden.toSorted());
  });
});
