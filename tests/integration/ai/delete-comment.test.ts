import { describe, expect, it } from 'vitest';
import { deleteComment } from '#schemas/conversations.ts';
import { signedEvent } from '#scripts/fixtures/network-events.ts';
import { newMember } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { untilDeath, waitForNobody } from '#tests/support/deaths.ts';
import { sandbox } from '#tests/support/mails.ts';
import { conversationsOf, deliver } from '#tests/support/network-events.ts';
import { drainWork } from '#tests/support/work.ts';
import { type CommentActionName, commentActions, commentSetup } from './setup.ts';

waitForNobody();

const world = await commentSetup();

describe('DELETE /ai/conversations/…/messages/{message_id}', () => {
  it.each(['FACEBOOK', 'INSTAGRAM', 'TIKTOK', 'LINKEDIN'] as const)(
    'deletes a comment on %s, and its text here',
    async (platform) => {
      const comment = await world.comment(platform);
      const { status, body } = await world.act('delete', comment);

      expect([status, body.messageRecord]).toMatchObject([
        200,
        { text: '', deletedAt: expect.any(String) },
      ]);
      expect(await world.state(comment)).toMatchObject({
        message: body.messageRecord,
        atNetwork: { isDeleted: true },
      });
      expect(await conversationsOf(world.owner, comment.account)).toMatchObject([
        { lastMessage: null, unreadCount: 0 },
      ]);
    },
  );

  it('returns 409 for any action on a deleted comment', async () => {
    const comment = await world.comment();
    await world.act('delete', comment);

    for (const action of Object.keys(commentActions) as CommentActionName[]) {
      const { status, body } = await world.act(action, comment);
      expect([action, status, body.message]).toEqual([action, 409, 'The comment was deleted']);
    }
  });

  it('deletes a comment here that the network no longer has', async () => {
    const comment = await world.comment();
    const death = { at: 'a call', nth: 1, when: 'after' } as const;
    const { hasDied } = await untilDeath(death, () => world.act('delete', comment));
    expect([hasDied, (await world.state(comment)).atNetwork?.isDeleted]).toEqual([true, true]);

    expect((await world.act('delete', comment)).status).toBe(200);
  });

  it("ignores the network's own event about it", async () => {
    const comment = await world.comment();
    const withdrawn = await signedEvent(comment.account, {
      eventId: comment.commentId,
      action: 'withdraw',
      echo: true,
    });
    const { body } = await world.act('delete', comment);
    await deliver('FACEBOOK', withdrawn);
    await drainWork('inbound-events');

    expect(await world.state(comment)).toMatchObject({ messages: 1, message: body.messageRecord });
  });

  it('returns 400 on X, and 403 for a member who is not an admin', async () => {
    const comment = await world.comment('TWITTER');
    const { status, body } = await world.act('delete', comment);
    const { token } = await newMember(world.owner, 'MEMBER');
    const asMember = await call(deleteComment, { ...world.callOf(comment), token });

    expect([status, body.message]).toEqual([400, 'TWITTER does not support deleteComment']);
    expect(asMember.status).toBe(403);
  });

  it('returns 502 and changes nothing while the network is down', async () => {
    const comment = await world.comment();
    await sandbox.addFault({ service: 'facebook', method: 'DELETE', mode: 'down' });

    expect((await world.act('delete', comment)).status).toBe(502);
    expect((await world.state(comment)).message).toMatchObject({
      deletedAt: null,
      text: 'What does an engine cost?',
    });
  });
});
