import { describe, expect, test } from 'vitest';
import { savedReplies } from '#lib/features/ai/saved-replies.ts';
import { hourMs, minuteMs, setClock } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, noExtraWrites, write } from '#lib/platform/db/write.ts';
import { replyToConversation } from '#schemas/conversations.ts';
import { storeConversation, storeMessage } from '#scripts/fixtures/conversations.ts';
import { connectedAccount } from '#scripts/fixtures/social-accounts.ts';
import { call } from '#tests/support/api.ts';
import { callInProcess } from '#tests/support/doomed-call.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import { sandbox } from '#tests/support/mails.ts';
import { messageEvent } from '#tests/support/network-events.ts';
import { deliverEvents, personReplySetup, sentBy, takenOver } from './setup.ts';

const world = await personReplySetup();

const sentAgain = { 'idempotency-key': 'one answer' };

describe('a reply by a person', () => {
  test('reaches the customer privately and takes over the conversation', async () => {
    const { account, conversation, customer } = await world.startConversation();

    const { status, body } = await world.reply(conversation);

    expect([status, body.reply.status, body.reply.author]).toEqual([200, 'SENT', 'HUMAN']);
    expect(await sentBy(account)).toMatchObject([
      { kind: 'message', to: customer.id, text: 'Ten pounds.' },
    ]);
    expect(await world.only(account)).toMatchObject({
      ...takenOver,
      messages: [
        { direction: 'IN', status: 'RECEIVED' },
        { direction: 'OUT', author: 'HUMAN', text: 'Ten pounds.', status: 'SENT' },
      ],
    });
  });

  describe('with a saved reply', () => {
    const text = '{{companyName}}, {{customerName}}, {{platform}}, {{currentDate}}, {{language}}.';

    async function send(body: object) {
      const { account, conversation } = await world.startConversation({ type: 'comment' });
      const params = {
        organization_id: world.ada.organizationId,
        conversation_id: conversation.id,
      };
      const answer = await call(replyToConversation, { params, token: world.ada.token, body });

      return { answer, account };
    }

    async function saved(): Promise<string> {
      const { organizationId } = world.ada;
      const details = { name: crypto.randomUUID(), text };

      return (await savedReplies.create(organizationId, details, noExtraWrites)).id;
    }

    test('sends its text with the placeholders filled in', async () => {
      setClock(() => Date.parse('2026-05-03T23:30:00.000Z'));
      const zone = { timezone: 'Europe/Berlin', name: 'Analytical Engines' };
      await write(change(keys.organization(world.ada.organizationId), { set: zone }));
      const { answer, account } = await send({ savedReplyId: await saved() });

      expect(answer.body.reply).toMatchObject({ status: 'SENT', author: 'HUMAN' });
      expect(await sentBy(account)).toMatchObject([
        { text: 'Analytical Engines, Charles Babbage, Facebook, 2026-05-04, .' },
      ]);
    });

    test.each([
      ['message together with it', { message: 'Hello' }, 400],
      ['neither', { savedReplyId: undefined }, 400],
      ['an unknown one', { savedReplyId: crypto.randomUUID() }, 404],
    ])('returns an error for %s, and sends nothing', async (_, body, status) => {
      const { answer, account } = await send({ savedReplyId: await saved(), ...body });

      expect(answer.status).toBe(status);
      expect(await sentBy(account)).toEqual([]);
    });
  });

  test('to a mention in a post may be as long as a comment', async () => {
    const { conversation } = await world.startConversation(
      { type: 'mention' },
      { platform: 'LINKEDIN' },
    );

    expect((await world.reply(conversation, 'a'.repeat(1_251))).body.message).toEqual([
      expect.stringMatching(
        /^message must be shorter than or equal to 1250 characters on LINKEDIN/,
      ),
    ]);
  });

  test.each(['FACEBOOK', 'TWITTER', 'LINKEDIN'] as const)(
    'to a mention in a post on %s is posted below it',
    async (platform) => {
      const { account, conversation } = await world.startConversation(
        { type: 'mention' },
        { platform },
      );
      expect(conversation.channel).toBe('POST');

      expect((await world.reply(conversation)).body.reply?.status).toBe('SENT');

      expect(await sentBy(account)).toMatchObject([{ kind: 'comment', text: 'Ten pounds.' }]);
    },
  );

  test.each(['FACEBOOK', 'INSTAGRAM', 'TWITTER', 'TIKTOK', 'LINKEDIN'] as const)(
    'to a comment on %s is posted below the latest one',
    async (platform) => {
      const { account, conversation, eventId } = await world.startConversation(
        { type: 'comment' },
        { platform },
      );

      expect((await world.reply(conversation)).body.reply?.status).toBe('SENT');

      expect(await sentBy(account)).toMatchObject([
        { kind: 'comment', inReplyTo: expect.any(String), text: 'Ten pounds.' },
      ]);
      expect(eventId).toBeTruthy();
    },
  );

  test('is FAILED with the reason when the network rejects it', async () => {
    const { account, conversation } = await world.startConversation();
    await sandbox.addFault({
      service: 'facebook',
      method: 'POST',
      path: '/messages',
      mode: 'error',
      status: 400,
      body: { error: { code: 100, message: 'No such thing' } },
    });

    expect((await world.reply(conversation)).status).toBe(400);

    expect((await world.only(account)).messages.at(-1)).toMatchObject({ status: 'FAILED' });
    expect(await sentBy(account)).toEqual([]);
  });

  test('is UNKNOWN when the network never responds, is not resent, and is resolved by its echo', async () => {
    const { account, conversation, customer } = await world.startConversation();
    await sandbox.addFault({
      service: 'facebook',
      method: 'POST',
      path: '/messages',
      mode: 'hang-after',
    });

    const { status, body } = await world.reply(conversation);

    expect([status, body.reply.status]).toEqual([200, 'UNKNOWN']);
    expect(await sentBy(account)).toHaveLength(1);
    await deliverEvents(
      account,
      messageEvent(account, customer.id, {
        isEcho: true,
        text: 'Ten pounds.',
        eventId: `echo-${account.id}`,
      }),
    );
    const { messages } = await world.only(account);
    expect(messages.map(({ status: is }: { status: string }) => is)).toEqual(['RECEIVED', 'SENT']);
  });

  test('is UNKNOWN a minute after its process crashes while sending, and is not resent', async () => {
    const { account, conversation } = await world.startConversation();
    const request = { ...world.replyCall(conversation.id, 'Ten pounds.'), headers: sentAgain };
    const doomed = await callInProcess(replyToConversation, request, world.proxy.endpoint);
    // The second transaction stores the outcome.
    const fault = { kind: 'kill', when: 'before', victim: doomed.kill } as const;
    world.proxy.faults.add({ operation: 'TransactWriteItems', nth: 2, fault });
    expect(await doomed.answer).toBeUndefined();
    expect((await world.only(account)).messages.at(-1).status).toBe('PENDING');

    setClock(() => Date.now() + 3 * minuteMs);
    await runDueWork();

    expect((await world.only(account)).messages.at(-1).status).toBe('UNKNOWN');
    const { status, body } = await call(replyToConversation, request);
    expect([status, body.reply.status]).toEqual([200, 'UNKNOWN']);
    expect(await sentBy(account)).toHaveLength(1);
  });

  test('is sent on retry with its key when it was definitely not sent', async () => {
    const { account, conversation } = await world.startConversation();
    const request = { ...world.replyCall(conversation.id, 'Ten pounds.'), headers: sentAgain };
    await sandbox.addFault({ service: 'facebook', method: 'POST', mode: 'down', times: 1 });
    expect((await call(replyToConversation, request)).status).toBe(502);

    expect((await call(replyToConversation, request)).body.reply.status).toBe('SENT');
    expect(await sentBy(account)).toHaveLength(1);
    expect((await world.only(account)).messages).toHaveLength(2);
  });

  test('creates one message when it is retried with one key until the network accepts it', async () => {
    const { account, conversation } = await world.startConversation();
    const request = { ...world.replyCall(conversation.id, 'Ten pounds.'), headers: sentAgain };
    const refusal = { error: { code: 190, message: 'Session has expired' } };
    const fault = { service: 'facebook', method: 'POST', path: '/messages' } as const;
    await sandbox.addFault({ ...fault, mode: 'down', times: 1 });
    expect((await call(replyToConversation, request)).status).toBe(502);
    await sandbox.addFault({ ...fault, mode: 'error', status: 401, body: refusal });
    expect((await call(replyToConversation, request)).status).toBe(401);
    await sandbox.clearFaults();
    const key = keys.socialAccount(account.organizationId, account.id);
    await write(change(key, { set: { isActive: true, inactiveReason: null } }));

    expect((await call(replyToConversation, request)).body.reply?.status).toBe('SENT');
    expect((await world.only(account)).messages).toHaveLength(2);
  });

  test('is sent on retry with its key when it failed before sending', async () => {
    const { account, conversation } = await world.startConversation();
    const request = { ...world.replyCall(conversation.id, 'Ten pounds.'), headers: sentAgain };
    const key = keys.socialAccount(account.organizationId, account.id);
    await write(change(key, { set: { accessToken: 'opens to nobody' } }));
    expect((await call(replyToConversation, request)).status).toBe(500);
    expect((await world.only(account)).messages.at(-1)).toMatchObject({ status: 'FAILED' });
    await write(change(key, { set: { accessToken: account.accessToken } }));

    expect((await call(replyToConversation, request)).body.reply.status).toBe('SENT');
    expect(await sentBy(account)).toHaveLength(1);
    expect((await world.only(account)).messages).toHaveLength(2);
  });

  test('is rejected when it is too late, too long or blank, or the account is inactive', async () => {
    const { account, conversation } = await world.startConversation();
    expect((await world.reply(conversation, 'x'.repeat(2_001))).body.message).toEqual([
      'message must be shorter than or equal to 2000 characters on FACEBOOK, which counts it as 2001',
    ]);
    expect((await world.reply(conversation, ' \n')).body.message).toEqual([
      'message should not be empty',
    ]);
    setClock(() => Date.now() + 25 * hourMs);
    const late = await world.reply(conversation);
    setClock();
    const inactive = await storeConversation(world.ada.organizationId, {
      socialAccountId: (await connectedAccount(world.ada.organizationId, { isActive: false })).id,
    });

    expect([late.status, (await world.reply(inactive)).status]).toEqual([409, 409]);
    expect(await sentBy(account)).toEqual([]);
    expect((await world.only(account)).messages).toHaveLength(1);
  });

  test.each([
    ['message', 'FACEBOOK', '🍕', 1_000, 2_000],
    ['message', 'INSTAGRAM', 'ж', 500, 1_000],
    ['message', 'TIKTOK', 'ж', 6_000, 6_000],
    ['comment', 'INSTAGRAM', 'ж', 1_000, 1_000],
    ['comment', 'TWITTER', '語', 140, 280],
  ] as const)(
    'to a %s may be as long as %s allows, and one more %s returns 400',
    async (type, platform, sign, most, limit) => {
      const { account, conversation } = await world.startConversation({ type }, { platform });
      const text = sign.repeat(most);

      const tooLong = await world.reply(conversation, `${text}${sign}`);
      const taken = await world.reply(conversation, text);

      expect([tooLong.status, taken.status]).toEqual([400, 200]);
      expect(tooLong.body.message).toEqual([
        expect.stringContaining(`equal to ${limit} characters on ${platform}, which counts`),
      ]);
      expect(await sentBy(account)).toMatchObject([{ text }]);
    },
  );

  test('returns 400 with the capability when the network lacks it', async () => {
    const { id: accountId } = await connectedAccount(world.ada.organizationId, {
      platform: 'LINKEDIN',
    });
    const conversation = await storeConversation(world.ada.organizationId, {
      socialAccountId: accountId,
      platform: 'LINKEDIN',
      channel: 'DIRECT_MESSAGE',
    });
    await storeMessage(conversation);

    const { status, body } = await world.reply(conversation);

    expect([status, body.message]).toEqual([400, 'LINKEDIN does not support directMessage']);
  });
});
