import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { canReply, type ReplyPermission } from '#lib/features/social/conversations/can-reply.ts';
import { takeEvents } from '#lib/features/social/intake/receive-events.ts';
import { hourMs, minuteMs, setClock } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, write } from '#lib/platform/db/write.ts';
import type { NormalisedEvent } from '#lib/vendors/networks/network.ts';
import { networkOf } from '#lib/vendors/networks/networks.ts';
import { replyToConversation, resumeConversation } from '#schemas/conversations.ts';
import { type channels, platforms } from '#schemas/platforms.ts';
import {
  type DynamoDbProxy,
  startDynamoDbProxy,
} from '#scripts/dynamodb-proxy/start-dynamodb-proxy.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { type Answer, call } from '#tests/support/api.ts';
import { storeConversation, storeMessage } from '#tests/support/conversations.ts';
import { callInProcess } from '#tests/support/doomed-call.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import { sandbox } from '#tests/support/mails.ts';
import {
  connectedAccount,
  conversationsOf,
  deliver,
  messageEvent,
  signedEvent,
} from '#tests/support/network-events.ts';
import { drainWork } from '#tests/support/work.ts';

let proxy: DynamoDbProxy;
let ada: Account;

beforeAll(async () => {
  proxy = await startDynamoDbProxy({ target: String(process.env.DYNAMODB_ENDPOINT) });
  ada = await newAccount();
});
afterEach(async () => {
  setClock();
  proxy.faults.clear();
  await sandbox.clearFaults();
});
afterAll(() => proxy.close());

type Said = Parameters<typeof signedEvent>[1];

/** Creates a conversation with a customer's message to a new account. */
async function startConversation(
  said: Said = { type: 'message' },
  overrides: Partial<SocialAccount> = {},
) {
  const account = await connectedAccount(ada.organizationId, overrides);
  const from = { id: `customer-${account.id}`, name: 'Charles Babbage' };
  const delivery = await signedEvent(account, { from, ...said });
  expect((await deliver(account.platform, delivery)).body.received).toBe(1);
  await drainWork('inbound-events');
  const [conversation] = await conversationsOf(ada, account);

  return { account, customer: from, conversation, eventId: delivery.eventId };
}

function replyCall(conversationId: string, message: string) {
  return {
    params: { organization_id: ada.organizationId, conversation_id: conversationId },
    body: { message },
    token: ada.token,
  };
}

function reply({ id }: { readonly id: string }, message = 'Ten pounds.'): Promise<Answer> {
  return call(replyToConversation, replyCall(id, message));
}

function sentBy({ platform, platformUserId }: SocialAccount) {
  return sandbox.network(platform).replies(platformUserId);
}

async function only(account: SocialAccount): Promise<Answer['body']> {
  const [conversation, ...others] = await conversationsOf(ada, account);
  expect(others).toEqual([]);

  return conversation;
}

/** Delivers events from the network and processes them. */
async function deliverEvents({ platform }: SocialAccount, ...events: readonly NormalisedEvent[]) {
  await takeEvents(platform, events);
  await drainWork('inbound-events');
}

const sentAgain = { 'idempotency-key': 'one answer' };
const takenOver = { controller: 'HUMAN', status: 'PAUSED', stopReason: 'HUMAN_TAKEOVER' };

describe('a reply by a person', () => {
  test('reaches the customer privately and takes the conversation over', async () => {
    const { account, conversation, customer } = await startConversation();

    const { status, body } = await reply(conversation);

    expect([status, body.reply.status, body.reply.author]).toEqual([200, 'SENT', 'HUMAN']);
    expect(await sentBy(account)).toMatchObject([
      { kind: 'message', to: customer.id, text: 'Ten pounds.' },
    ]);
    expect(await only(account)).toMatchObject({
      ...takenOver,
      messages: [
        { direction: 'IN', status: 'RECEIVED' },
        { direction: 'OUT', author: 'HUMAN', text: 'Ten pounds.', status: 'SENT' },
      ],
    });
  });

  test('to a mention in a post may be as long as a comment', async () => {
    const { conversation } = await startConversation({ type: 'mention' }, { platform: 'LINKEDIN' });

    expect((await reply(conversation, 'a'.repeat(1_251))).body.message).toEqual([
      expect.stringMatching(
        /^message must be shorter than or equal to 1250 characters on LINKEDIN/,
      ),
    ]);
  });

  test.each(['FACEBOOK', 'TWITTER', 'LINKEDIN'] as const)(
    'to a mention in a post on %s is posted below it',
    async (platform) => {
      const { account, conversation } = await startConversation({ type: 'mention' }, { platform });
      expect(conversation.channel).toBe('POST');

      expect((await reply(conversation)).body.reply?.status).toBe('SENT');

      expect(await sentBy(account)).toMatchObject([{ kind: 'comment', text: 'Ten pounds.' }]);
    },
  );

  test('to a mention in a story is rejected, naming the missing capability', async () => {
    const account = await connectedAccount(ada.organizationId, { platform: 'INSTAGRAM' });
    const item = {
      sender: { id: 'customer' },
      recipient: { id: account.platformUserId },
      timestamp: Date.now(),
      message: { mid: `mid-${account.id}`, attachments: [{ type: 'story_mention', payload: {} }] },
    };
    const entry = { id: account.platformUserId, time: Date.now(), messaging: [item] };
    const body = JSON.stringify({ object: 'instagram', entry: [entry] });
    await deliverEvents(account, ...networkOf('INSTAGRAM').parseEvents(Buffer.from(body)));
    const conversation = await only(account);
    expect(conversation.channel).toBe('POST');

    expect((await reply(conversation)).body.message).toBe('INSTAGRAM does not support postReply');
    expect(await sentBy(account)).toEqual([]);
  });

  test.each(['FACEBOOK', 'INSTAGRAM', 'TWITTER', 'TIKTOK', 'LINKEDIN'] as const)(
    'to a comment on %s is posted below the latest one',
    async (platform) => {
      const { account, conversation, eventId } = await startConversation(
        { type: 'comment' },
        { platform },
      );

      expect((await reply(conversation)).body.reply?.status).toBe('SENT');

      expect(await sentBy(account)).toMatchObject([
        { kind: 'comment', inReplyTo: expect.any(String), text: 'Ten pounds.' },
      ]);
      expect(eventId).toBeTruthy();
    },
  );

  test('is FAILED with the reason when the network rejects it', async () => {
    const { account, conversation } = await startConversation();
    await sandbox.addFault({
      service: 'facebook',
      method: 'POST',
      path: '/messages',
      mode: 'error',
      status: 400,
      body: { error: { code: 100, message: 'No such thing' } },
    });

    expect((await reply(conversation)).status).toBe(400);

    expect((await only(account)).messages.at(-1)).toMatchObject({ status: 'FAILED' });
    expect(await sentBy(account)).toEqual([]);
  });

  test('is UNKNOWN when the network never responds, is not resent, and is resolved by its echo', async () => {
    const { account, conversation, customer } = await startConversation();
    await sandbox.addFault({
      service: 'facebook',
      method: 'POST',
      path: '/messages',
      mode: 'hang-after',
    });

    const { status, body } = await reply(conversation);

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
    const { messages } = await only(account);
    expect(messages.map(({ status: is }: { status: string }) => is)).toEqual(['RECEIVED', 'SENT']);
  });

  test('is UNKNOWN a minute after its process crashes while sending, and is not resent', async () => {
    const { account, conversation } = await startConversation();
    const request = { ...replyCall(conversation.id, 'Ten pounds.'), headers: sentAgain };
    const doomed = await callInProcess(replyToConversation, request, proxy.endpoint);
    // The second transaction stores the outcome.
    const fault = { kind: 'kill', when: 'before', victim: doomed.kill } as const;
    proxy.faults.add({ operation: 'TransactWriteItems', nth: 2, fault });
    expect(await doomed.answer).toBeUndefined();
    expect((await only(account)).messages.at(-1).status).toBe('PENDING');

    setClock(() => Date.now() + 3 * minuteMs);
    await runDueWork();

    expect((await only(account)).messages.at(-1).status).toBe('UNKNOWN');
    const { status, body } = await call(replyToConversation, request);
    expect([status, body.reply.status]).toEqual([200, 'UNKNOWN']);
    expect(await sentBy(account)).toHaveLength(1);
  });

  test('is sent on retry with its key when it was definitely not sent', async () => {
    const { account, conversation } = await startConversation();
    const request = { ...replyCall(conversation.id, 'Ten pounds.'), headers: sentAgain };
    await sandbox.addFault({ service: 'facebook', method: 'POST', mode: 'down', times: 1 });
    expect((await call(replyToConversation, request)).status).toBe(502);

    expect((await call(replyToConversation, request)).body.reply.status).toBe('SENT');
    expect(await sentBy(account)).toHaveLength(1);
    expect((await only(account)).messages).toHaveLength(2);
  });

  test('creates one message when it is retried with one key until the network accepts it', async () => {
    const { account, conversation } = await startConversation();
    const request = { ...replyCall(conversation.id, 'Ten pounds.'), headers: sentAgain };
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
    expect((await only(account)).messages).toHaveLength(2);
  });

  test('is sent on retry with its key when it failed before sending', async () => {
    const { account, conversation } = await startConversation();
    const request = { ...replyCall(conversation.id, 'Ten pounds.'), headers: sentAgain };
    const key = keys.socialAccount(account.organizationId, account.id);
    await write(change(key, { set: { accessToken: 'opens to nobody' } }));
    expect((await call(replyToConversation, request)).status).toBe(500);
    expect((await only(account)).messages.at(-1)).toMatchObject({ status: 'FAILED' });
    await write(change(key, { set: { accessToken: account.accessToken } }));

    expect((await call(replyToConversation, request)).body.reply.status).toBe('SENT');
    expect(await sentBy(account)).toHaveLength(1);
    expect((await only(account)).messages).toHaveLength(2);
  });

  test('is rejected when it is too late, too long or blank, or the account is inactive', async () => {
    const { account, conversation } = await startConversation();
    expect((await reply(conversation, 'x'.repeat(2_001))).body.message).toEqual([
      'message must be shorter than or equal to 2000 characters on FACEBOOK, which counts it as 2001',
    ]);
    expect((await reply(conversation, ' \n')).body.message).toEqual([
      'message should not be empty',
    ]);
    setClock(() => Date.now() + 25 * hourMs);
    const late = await reply(conversation);
    setClock();
    const inactive = await storeConversation(ada.organizationId, {
      accountId: (await connectedAccount(ada.organizationId, { isActive: false })).id,
    });

    expect([late.status, (await reply(inactive)).status]).toEqual([409, 409]);
    expect(await sentBy(account)).toEqual([]);
    expect((await only(account)).messages).toHaveLength(1);
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
      const { account, conversation } = await startConversation({ type }, { platform });
      const text = sign.repeat(most);

      const tooLong = await reply(conversation, `${text}${sign}`);
      const taken = await reply(conversation, text);

      expect([tooLong.status, taken.status]).toEqual([400, 200]);
      expect(tooLong.body.message).toEqual([
        expect.stringContaining(`equal to ${limit} characters on ${platform}, which counts`),
      ]);
      expect(await sentBy(account)).toMatchObject([{ text }]);
    },
  );

  test('returns 400 naming the capability when the network lacks it', async () => {
    const { id: accountId } = await connectedAccount(ada.organizationId, { platform: 'LINKEDIN' });
    const conversation = await storeConversation(ada.organizationId, {
      accountId,
      platform: 'LINKEDIN',
      channel: 'DIRECT_MESSAGE',
    });
    await storeMessage(conversation);

    const { status, body } = await reply(conversation);

    expect([status, body.message]).toEqual([400, 'LINKEDIN does not support directMessage']);
  });
});

describe('an echo', () => {
  test.each([
    [
      'by the metadata sent with it',
      (text: string, echoTag: string) => ({ text: `${text}!`, echoTag }),
    ],
    ['by the id that the network returned', (text: string) => ({ text })],
  ])('of our own message is recognized %s', async (how, change) => {
    const { account, conversation, customer } = await startConversation();
    const { body } = await reply(conversation);
    await call(resumeConversation, replyCall(conversation.id, ''));
    const [sent] = await sentBy(account);
    const messageId = how.includes('along') ? `other-${account.id}` : String(sent?.id);

    await deliverEvents(
      account,
      messageEvent(account, customer.id, {
        isEcho: true,
        messageId,
        eventId: `echo-${account.id}`,
        ...change('Ten pounds.', `${conversation.id}/${body.reply.id}`),
      }),
    );

    const shown = await only(account);
    expect(shown).toMatchObject({ controller: 'BOT', status: 'OPEN' });
    expect(shown.messages).toHaveLength(2);
  });

  test('that arrives before the send response is recognized by its text', async () => {
    const { account, conversation, customer } = await startConversation();
    const pending = await storeMessage(
      { ...conversation, organizationId: ada.organizationId, accountId: account.id },
      { direction: 'OUT', author: 'BOT', status: 'PENDING', text: 'See https://a.example/b  now' },
    );

    await deliverEvents(
      account,
      messageEvent(account, customer.id, { isEcho: true, text: 'See https://t.co/x now' }),
    );

    const { controller, messages } = await only(account);
    expect(controller).toBe('BOT');
    expect(messages.at(-1)).toMatchObject({ id: pending.id, status: 'SENT' });
  });

  test('with unknown text waits while a message is being sent, then counts as a takeover', async () => {
    const { account, conversation, customer } = await startConversation();
    await storeMessage(
      { ...conversation, organizationId: ada.organizationId, accountId: account.id },
      { direction: 'OUT', author: 'BOT', status: 'PENDING', text: 'Ten pounds.' },
    );

    await deliverEvents(
      account,
      messageEvent(account, customer.id, { isEcho: true, text: 'Call me' }),
    );
    expect((await only(account)).controller).toBe('BOT');
    setClock(() => Date.now() + 2 * minuteMs);
    await runDueWork();

    expect(await only(account)).toMatchObject(takenOver);
  });

  test('of a message a person wrote on the network takes the conversation over, once', async () => {
    const { account, customer } = await startConversation();
    const echo = messageEvent(account, customer.id, { isEcho: true, text: 'Charles here' });

    await deliverEvents(account, echo, { ...echo, eventId: `again-${echo.eventId}` });

    const shown = await only(account);
    expect(shown).toMatchObject(takenOver);
    expect(shown.messages.slice(1)).toMatchObject([
      { direction: 'OUT', author: 'HUMAN', text: 'Charles here', status: 'SENT' },
    ]);
  });

  test('of a comment takes over the conversation it replies to, and none if it replies to nobody', async () => {
    const { account, eventId } = await startConversation({ type: 'comment' });
    const own = { id: account.platformUserId, name: '' };
    const comment = (overrides: Partial<NormalisedEvent>) =>
      messageEvent(account, '', {
        type: 'comment',
        channel: 'COMMENT',
        from: own,
        to: undefined,
        isEcho: true,
        ...overrides,
      });

    await deliverEvents(account, comment({ text: 'News' }));
    expect((await only(account)).controller).toBe('BOT');
    await deliverEvents(account, comment({ text: 'I know', parentId: eventId }));

    expect(await only(account)).toMatchObject(takenOver);
  });

  test('in a conversation that a person started excludes the agent', async () => {
    const account = await connectedAccount(ada.organizationId);

    await deliverEvents(
      account,
      messageEvent(account, 'customer-x', { isEcho: true, text: 'Hello' }),
    );
    await deliverEvents(account, messageEvent(account, 'customer-x', { text: 'Hello yourself' }));

    const shown = await only(account);
    expect(shown).toMatchObject(takenOver);
    expect(shown.messages).toHaveLength(2);
  });
});

test('decides whether a reply is allowed, and until when', () => {
  const past = new Date(Date.now() - 1_000).toISOString();
  const coming = new Date(Date.now() + 60_000).toISOString();
  const ask = (
    changes: Partial<Parameters<typeof canReply>[0]>,
    by: 'BOT' | 'HUMAN' = 'BOT',
    isActive = true,
  ): ReplyPermission =>
    canReply(
      { platform: 'FACEBOOK', channel: 'DIRECT_MESSAGE', controller: 'BOT', ...changes },
      { isActive },
      by,
    );
  const refused = (reason: string) => ({ allowed: false, reason });

  expect(ask({ windowExpiresAt: coming })).toEqual({ allowed: true, until: coming });
  expect(ask({ platform: 'TWITTER' })).toEqual({ allowed: true, until: null });
  expect(ask({ windowExpiresAt: past })).toEqual(refused('WINDOW_CLOSED'));
  expect(ask({ windowExpiresAt: past }, 'HUMAN')).toEqual(refused('WINDOW_CLOSED'));
  expect(ask({ controller: 'HUMAN' })).toEqual(refused('HUMAN_TAKEOVER'));
  expect(ask({ controller: 'HUMAN' }, 'HUMAN').allowed).toBe(true);
  expect(ask({}, 'BOT', false)).toEqual(refused('ACCOUNT_INACTIVE'));
  const silent = platforms.filter((platform) => !ask({ platform }).allowed);
  expect(silent).toEqual(['LINKEDIN', 'YOUTUBE']);
  const answering = (channel: (typeof channels)[number]) =>
    platforms.filter((platform) => ask({ platform, channel }).allowed);
  expect(answering('COMMENT')).toEqual(platforms);
  expect(answering('POST')).toEqual(['FACEBOOK', 'TWITTER', 'LINKEDIN']);
});
