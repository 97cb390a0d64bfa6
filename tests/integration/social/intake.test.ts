import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { subscribeToAccount } from '#lib/features/social/accounts/account-webhook.ts';
import { findSocialAccount, type SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { handleInboundEvent } from '#lib/features/social/intake/handle-inbound-event.ts';
import { takeEvents } from '#lib/features/social/intake/receive-events.ts';
import { dayMs, minuteMs, secondMs, setClock, timestamp } from '#lib/platform/clock.ts';
import { ranges } from '#lib/platform/db/keys.ts';
import { query } from '#lib/platform/db/read.ts';
import { nothingElse } from '#lib/platform/db/write.ts';
import type { WorkPayload } from '#schemas/messages.ts';
import type { Platform } from '#schemas/platforms.ts';
import { receiveNetworkEvents } from '#schemas/social-webhooks.ts';
import {
  type DynamoDbProxy,
  startDynamoDbProxy,
} from '#scripts/dynamodb-proxy/start-dynamodb-proxy.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { callInProcess, runInProcess } from '#tests/support/doomed-call.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import { mailsTo, sandbox } from '#tests/support/mails.ts';
import {
  commentEvent,
  connectedAccount,
  conversationsOf,
  deliver,
  deliverEncoded,
  messageEvent,
  signedEvent,
} from '#tests/support/network-events.ts';
import { storedItems } from '#tests/support/table.ts';
import { drainWork, sqsEvent } from '#tests/support/work.ts';

const queues = process.env.QUEUE_URL_PREFIX;

let proxy: DynamoDbProxy;
let ada: Account;
let page: SocialAccount;

beforeAll(async () => {
  proxy = await startDynamoDbProxy({ target: String(process.env.DYNAMODB_ENDPOINT) });
  ada = await newAccount();
});
beforeEach(async () => {
  page = await connectedAccount(ada.organizationId);
});
afterEach(() => {
  setClock();
  process.env.QUEUE_URL_PREFIX = queues;
  proxy.faults.clear();
});
afterAll(() => proxy.close());

/** Returns outbox items and claims of events that are pending or were processed. */
async function storedEvents() {
  const partitions = (await storedItems(`ORG#${ada.organizationId}#EVENTS#`)).map(({ pk, sk }) => ({
    pk,
    sk,
  }));

  return partitions;
}

const pushed: ReadonlyArray<readonly [Platform, 'message' | 'comment', string]> = [
  ['FACEBOOK', 'comment', 'COMMENT'],
  ['FACEBOOK', 'message', 'DIRECT_MESSAGE'],
  ['INSTAGRAM', 'comment', 'COMMENT'],
  ['INSTAGRAM', 'message', 'DIRECT_MESSAGE'],
  ['TIKTOK', 'message', 'DIRECT_MESSAGE'],
  ['TIKTOK', 'comment', 'COMMENT'],
  ['TWITTER', 'comment', 'COMMENT'],
  ['TWITTER', 'message', 'DIRECT_MESSAGE'],
  ['LINKEDIN', 'comment', 'COMMENT'],
];

describe('a network webhook delivery', () => {
  test.each(pushed)('of %s with a %s becomes a conversation', async (platform, type, channel) => {
    const account = await connectedAccount(ada.organizationId, { platform });
    const customer = { id: `customer-${account.id}`, name: 'Charles Babbage' };
    const delivery = await signedEvent(account, { type, from: customer, text: 'Grüße, 你好 👋' });

    const { status, body } = await deliver(platform, delivery);
    await drainWork('inbound-events');

    expect([status, body]).toEqual([200, { success: true, received: 1 }]);
    const conversations = await conversationsOf(ada, account);
    expect(conversations).toMatchObject([
      {
        socialAccountId: account.id,
        platform,
        channel,
        customer: { id: customer.id },
        controller: 'BOT',
        status: 'OPEN',
        messages: [
          { direction: 'IN', author: 'CUSTOMER', text: 'Grüße, 你好 👋', status: 'RECEIVED' },
        ],
      },
    ]);
  });

  test('in base64 is verified on the decoded bytes', async () => {
    const delivery = await signedEvent(page, { text: 'Ünïcödé' });

    expect((await deliverEncoded('FACEBOOK', delivery)).body.received).toBe(1);
  });

  test.each([
    [
      'a byte of the body',
      ({ body }: { body: string }) => ({ body: body.replace('engine', 'engima') }),
    ],
    ['white space', ({ body }: { body: string }) => ({ body: `${body} ` })],
    ['the signature', () => ({ headers: { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` } })],
    ['the signature scheme', () => ({ headers: { 'x-hub-signature-256': 'sha1=00' } })],
    ['a missing signature', () => ({ headers: {} })],
  ])('is rejected and not stored after tampering: %s', async (_what, change) => {
    const before = await storedEvents();
    const delivery = await signedEvent(page);

    const { status, body } = await deliver('FACEBOOK', { ...delivery, ...change(delivery) });

    expect([status, body.message]).toEqual([401, 'Invalid signature']);
    expect(await storedEvents()).toEqual(before);
  });

  test('signed for another network is rejected', async () => {
    expect((await deliver('INSTAGRAM', await signedEvent(page))).status).not.toBe(200);
  });

  test('above 1 MiB returns 413, whatever its signature', async () => {
    const { headers } = await signedEvent(page);
    const body = JSON.stringify({ padding: 'x'.repeat(1024 * 1024) });

    expect((await deliver('FACEBOOK', { headers, body })).status).toBe(413);
  });

  test('for an account that is not connected is acknowledged but not stored', async () => {
    const before = await storedEvents();
    const stranger = { ...page, platformUserId: '1000000000' };

    const { status, body } = await deliver('FACEBOOK', await signedEvent(stranger));

    expect([status, body.received]).toEqual([200, 0]);
    expect(await storedEvents()).toEqual(before);
  });

  test('is processed once for twenty concurrent requests', async () => {
    const delivery = await signedEvent(page);

    const answers = await Promise.all(
      Array.from({ length: 20 }, () => deliver('FACEBOOK', delivery)),
    );
    await drainWork('inbound-events');

    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(answers.reduce((sum, { body }) => sum + body.received, 0)).toBe(1);
    const [conversation, ...others] = await conversationsOf(ada, page);
    expect([conversation.messages.length, others.length]).toEqual([1, 0]);
  });

  test('is deduplicated for thirty days and creates no second message even later', async () => {
    const delivery = await signedEvent(page);
    await deliver('FACEBOOK', delivery);
    await drainWork('inbound-events');

    setClock(() => Date.now() + 29 * dayMs);
    expect((await deliver('FACEBOOK', delivery)).body.received).toBe(0);
    // The claim has expired but is still stored.
    setClock(() => Date.now() + 31 * dayMs);
    expect((await deliver('FACEBOOK', delivery)).body.received).toBe(1);
    setClock();
    await drainWork('inbound-events');

    const [conversation] = await conversationsOf(ada, page);
    expect(conversation.messages).toHaveLength(1);
  });

  test('is acknowledged while the queues hang, and processed by the sweep', async () => {
    const delivery = await signedEvent(page);
    const silent = createServer((socket) => socket.resume().on('error', () => undefined));
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    process.env.QUEUE_URL_PREFIX = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/0/`;

    const startedAt = performance.now();
    const { status } = await deliver('FACEBOOK', delivery);
    const took = performance.now() - startedAt;

    process.env.QUEUE_URL_PREFIX = queues;
    silent.close();
    expect(status).toBe(200);
    // The queue client's two attempts alone would take four seconds.
    expect(took).toBeLessThan(2_500);
    setClock(() => Date.now() + 2 * minuteMs);
    await runDueWork();
    expect(await conversationsOf(ada, page)).toHaveLength(1);
  });

  test('is neither lost nor duplicated when the process crashes before it responds', async () => {
    const delivery = await signedEvent(page);
    const doomed = await callInProcess(
      receiveNetworkEvents,
      { params: { platform: 'facebook' }, ...delivery },
      proxy.endpoint,
    );
    const fault = { kind: 'kill', when: 'after', victim: doomed.kill } as const;
    proxy.faults.add({ operation: 'TransactWriteItems', nth: 1, fault });
    expect(await doomed.answer).toBeUndefined();

    expect((await deliver('FACEBOOK', delivery)).body.received).toBe(0);
    setClock(() => Date.now() + 2 * minuteMs);
    await runDueWork();

    const conversations = await conversationsOf(ada, page);
    expect(conversations.map(({ messages }) => messages.length)).toEqual([1]);
  });
});

describe('events of one customer', () => {
  test('create one conversation with a message each when twenty arrive concurrently', async () => {
    const from = { id: `customer-${page.id}`, name: 'Charles Babbage' };
    const events = Array.from({ length: 20 }, (_, index) =>
      commentEvent(page, { from, text: String(index) }),
    );
    const payloads = events.map((event, index) =>
      payloadOf(event, `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`),
    );

    await Promise.all(payloads.map(handle));

    const [conversation, ...others] = await conversationsOf(ada, page);
    expect(others).toEqual([]);
    expect(conversation.messages.map(({ text }: { text: string }) => Number(text))).toEqual(
      Array.from({ length: 20 }, (_, index) => index),
    );
  });

  test('are processed in order, however they are batched', async () => {
    const from = { id: `customer-${page.id}`, name: '' };
    const texts = Array.from({ length: 12 }, (_, index) => String(index));
    await takeEvents(
      'FACEBOOK',
      texts.map((text) =>
        commentEvent(page, { from, text, occurredAt: '2026-01-15T09:30:00.000Z' }),
      ),
    );

    await drainWork('inbound-events');

    const [{ messages }] = await conversationsOf(ada, page);
    expect(messages.map(({ text }: { text: string }) => text)).toEqual(texts);
  });

  test.each(['1903-12-17T15:35:00.000Z', '2999-01-01T00:00:00.000Z', 'yesterday'])(
    'get the current time when the network sends %s',
    async (occurredAt) => {
      const from = { id: `customer-${page.id}`, name: '' };
      const before = timestamp();
      await takeEvents('FACEBOOK', [commentEvent(page, { from, occurredAt })]);

      await drainWork('inbound-events');

      const [{ messages }] = await conversationsOf(ada, page);
      expect(messages).toHaveLength(1);
      expect(messages[0].createdAt >= before && messages[0].createdAt <= timestamp()).toBe(true);
    },
  );

  test('lead to the same state in any order and with any repetition', async () => {
    const from = { id: `customer-${page.id}`, name: 'Charles Babbage' };
    const payloads = [3, 1, 5, 4, 3, 1, 2].map((second) =>
      payloadOf(
        messageEvent(page, from.id, {
          from,
          eventId: `event-${page.id}-${second}`,
          messageId: `m-${page.id}-${second}`,
          text: String(second),
          occurredAt: `2026-01-15T09:30:0${second}.000Z`,
        }),
        `00000000-000${second}-7000-8000-${page.id.slice(-12)}`,
      ),
    );

    for (const payload of payloads) {
      await handle(payload);
    }

    const [{ id, messages }] = await conversationsOf(ada, page);
    expect(messages.map(({ text }: { text: string }) => text)).toEqual(['1', '2', '3', '4', '5']);
    const [stored] = await query<Record<string, unknown>>({
      ...ranges.conversationMessages(ada.organizationId, id),
      from: 'CONVERSATION',
      to: 'CONVERSATION',
    });
    expect(stored).toMatchObject({
      lastInboundAt: '2026-01-15T09:30:05.000Z',
      windowExpiresAt: '2026-01-16T09:30:05.000Z',
      lastInboundMessageId: messages.at(-1).id,
    });
  });

  test("are forwarded once to the account's webhook if it is subscribed to them", async () => {
    const name = `inbound-${page.id}`;
    const webhookUrl = `${process.env.WEBHOOK_ALLOWED_ORIGINS}/_sandbox/hooks/${name}`;
    const subscription = { webhookUrl, events: ['messages'] } as const;
    await subscribeToAccount(ada.organizationId, ada.userId, page.id, subscription, nothingElse);
    const message = messageEvent(page, 'customer-1', { text: 'Hello' });

    for (const event of [message, commentEvent(page), { ...message, eventId: 'again' }]) {
      await takeEvents('FACEBOOK', [event]);
      await drainWork();
    }

    const requests = await sandbox.requests({ service: 'hooks', contains: page.id });
    const told = requests.filter(({ path }) => path.endsWith(name));
    expect(told.map(({ body }) => JSON.parse(body))).toMatchObject([
      {
        type: 'message.received',
        data: { socialAccountId: page.id, channel: 'DIRECT_MESSAGE', text: 'Hello' },
      },
    ]);
  });

  test('deactivate the account when they withdraw the permission, and notify its owners once', async () => {
    const event = commentEvent(page, { type: 'deauthorized' });

    await takeEvents('FACEBOOK', [event, { ...event, eventId: 'again' }]);
    await drainWork();

    const stored = await findSocialAccount(ada.organizationId, page.id);
    expect(stored?.isActive).toBe(false);
    expect(stored?.inactiveReason).toMatch(/revoked/);
    expect(await mailsTo(ada.email)).toHaveLength(1);
  });

  test('are ignored when they withdraw the permission from before a reconnect', async () => {
    const occurredAt = new Date(Date.parse(page.tokenIssuedAt) - 10 * secondMs).toISOString();

    await takeEvents('FACEBOOK', [commentEvent(page, { type: 'deauthorized', occurredAt })]);
    await drainWork();

    expect(await findSocialAccount(ada.organizationId, page.id)).toMatchObject({ isActive: true });
  });

  test.each([
    ['before', 'TransactWriteItems'],
    ['after', 'TransactWriteItems'],
    ['before', 'DeleteItem'],
  ] as const)('survive a worker that crashes %s its %s', async (when, operation) => {
    process.env.QUEUE_URL_PREFIX = `${queues}gone-`;
    await takeEvents('FACEBOOK', [commentEvent(page)]);
    process.env.QUEUE_URL_PREFIX = queues;
    const work = (await storedEvents()).find(({ sk }) => sk.startsWith('OUTBOX#'));
    const message = { MessageId: page.id, Body: JSON.stringify(work) };
    const run = await runInProcess('workers/inbound-events', sqsEvent([message]), proxy.endpoint);
    proxy.faults.add({ operation, nth: 1, fault: { kind: 'kill', when, victim: run.kill } });
    expect(await run.answer).toBeUndefined();

    setClock(() => Date.now() + 2 * minuteMs);
    await runDueWork();

    const conversations = await conversationsOf(ada, page);
    expect(conversations.map(({ messages }) => messages.length)).toEqual([1]);
  });

  test('leave nothing behind when the account no longer exists', async () => {
    const gone = { ...page, id: '0192f0c3-2b3e-73a4-95b6-2b3c4d5e6f70' };

    await handle(payloadOf(commentEvent(gone), gone.id, gone));

    expect(await conversationsOf(ada, gone)).toEqual([]);
  });
});

function payloadOf(
  event: ReturnType<typeof commentEvent>,
  messageId: string,
  account: SocialAccount = page,
): WorkPayload<'inboundEvent'> {
  const { organizationId, id: accountId, platform } = account;

  return { organizationId, accountId, platform, messageId, event };
}

function handle(payload: WorkPayload<'inboundEvent'>) {
  return handleInboundEvent({ key: { pk: '', sk: '' }, payload, remainingMs: () => 30_000 });
}
