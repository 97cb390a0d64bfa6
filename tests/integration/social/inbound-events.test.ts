import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { handleInboundEvent } from '#lib/features/intake/handle-inbound-event.ts';
import { takeEvents } from '#lib/features/intake/receive-events.ts';
import { subscribeToAccount } from '#lib/features/social/accounts/account-webhook.ts';
import { findSocialAccount, type SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { minuteMs, secondMs, setClock, timestamp } from '#lib/platform/clock.ts';
import { ranges } from '#lib/platform/db/keys.ts';
import { query } from '#lib/platform/db/read.ts';
import { noExtraWrites } from '#lib/platform/db/write.ts';
import type { WorkPayload } from '#schemas/messages.ts';
import { signedEvent } from '#scripts/fixtures/network-events.ts';
import { connectedAccount } from '#scripts/fixtures/social-accounts.ts';
import { runInProcess } from '#tests/support/doomed-call.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import { metricLinesSince, placeInLog } from '#tests/support/log-book.ts';
import { mailsTo, sandbox } from '#tests/support/mails.ts';
import {
  commentEvent,
  conversationsOf,
  deliver,
  messageEvent,
} from '#tests/support/network-events.ts';
import { networkOf } from '#tests/support/networks.ts';
import { drainWork, sqsEvent } from '#tests/support/work.ts';
import { intakeSetup } from './setup.ts';

const queues = process.env.QUEUE_URL_PREFIX;

let page: SocialAccount;

const world = await intakeSetup();

beforeEach(async () => {
  page = await connectedAccount(world.ada.organizationId);
});

afterEach(() => {
  process.env.QUEUE_URL_PREFIX = queues;
});

describe('an edit without a text', () => {
  const network = sandbox.network('INSTAGRAM');
  const said = { type: 'message', text: 'What is the price?' } as const;

  /** Delivers a message and its announcement in one batch. */
  async function deliverBoth(account: SocialAccount, isAnnouncedFirst: boolean) {
    const from = { id: `customer-${account.id}`, name: 'Charles Babbage' };
    const event = {
      userId: account.platformUserId,
      from,
      deliveries: 0,
      eventId: `mid-${account.id}`,
    };
    const sent = await network.sendEvent({ ...event, ...said });
    const announced = await network.sendEvent({ ...event, ...said, action: 'announce' });
    const bodies = [sent, announced].map(({ delivery }) => Buffer.from(delivery?.body ?? ''));
    const events = bodies.flatMap((body) => networkOf('INSTAGRAM').parseEvents(body));
    await takeEvents('INSTAGRAM', isAnnouncedFirst ? events.toReversed() : events);
    await drainWork('inbound-events');
  }

  test.each([false, true])('changes nothing (before its message: %s)', async (isAnnouncedFirst) => {
    const account = await connectedAccount(world.ada.organizationId, { platform: 'INSTAGRAM' });

    await deliverBoth(account, isAnnouncedFirst);

    expect(await conversationsOf(world.ada, account)).toMatchObject([
      { unreadCount: 1, messages: [{ text: said.text, deletedAt: null }] },
    ]);
  });

  test.each([false, true])(
    'records the fetched message if it was unknown (anonymous: %s)',
    async (isAnonymous) => {
      const account = await connectedAccount(world.ada.organizationId, { platform: 'INSTAGRAM' });
      const from = { id: `customer-${account.id}`, name: 'Charles Babbage' };
      const announced = { ...said, from, action: 'announce', isAnonymous } as const;
      await deliver('INSTAGRAM', await signedEvent(account, announced));

      await drainWork('inbound-events');

      expect(await conversationsOf(world.ada, account)).toMatchObject([
        { channel: 'DIRECT_MESSAGE', customer: { id: from.id }, messages: [{ text: said.text }] },
      ]);
    },
  );

  test('is counted and logged if the network does not know its message', async () => {
    const account = await connectedAccount(world.ada.organizationId, { platform: 'INSTAGRAM' });
    const event = messageEvent(account, '', { isIncomplete: true, messageId: 'gone' });
    const place = placeInLog();
    await takeEvents('INSTAGRAM', [event]);
    await drainWork('inbound-events');
    expect(metricLinesSince(place, 'UnreadableEvent')).toEqual([]);
    setClock(() => Date.now() + minuteMs);
    await runDueWork();
    await drainWork('inbound-events');

    expect(metricLinesSince(place, 'UnreadableEvent')).toMatchObject([{ platform: 'INSTAGRAM' }]);
    expect(await conversationsOf(world.ada, account)).toEqual([]);
  });

  test('changes nothing if the network does not let the account read messages', async () => {
    const account = await connectedAccount(world.ada.organizationId, { platform: 'INSTAGRAM' });
    await sandbox.addFault({
      service: 'instagram',
      method: 'GET',
      path: '/v',
      mode: 'error',
      status: 403,
      body: { error: { code: 3, message: 'No capability' } },
    });

    await deliverBoth(account, true);

    await sandbox.clearFaults();
    expect(await conversationsOf(world.ada, account)).toMatchObject([
      { messages: [{ text: said.text }] },
    ]);
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

    const [conversation, ...others] = await conversationsOf(world.ada, page);
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

    const [{ messages }] = await conversationsOf(world.ada, page);
    expect(messages.map(({ text }: { text: string }) => text)).toEqual(texts);
  });

  test.each(['1903-12-17T15:35:00.000Z', '2999-01-01T00:00:00.000Z', 'yesterday'])(
    'get the current time when the network sends %s',
    async (occurredAt) => {
      const from = { id: `customer-${page.id}`, name: '' };
      const before = timestamp();
      await takeEvents('FACEBOOK', [commentEvent(page, { from, occurredAt })]);

      await drainWork('inbound-events');

      const [{ messages }] = await conversationsOf(world.ada, page);
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

    const [{ id, messages }] = await conversationsOf(world.ada, page);
    expect(messages.map(({ text }: { text: string }) => text)).toEqual(['1', '2', '3', '4', '5']);
    const [stored] = await query<Record<string, unknown>>({
      ...ranges.conversationMessages(world.ada.organizationId, id),
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
    await subscribeToAccount(
      world.ada.organizationId,
      world.ada.userId,
      page.id,
      subscription,
      noExtraWrites,
    );
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

    const stored = await findSocialAccount(world.ada.organizationId, page.id);
    expect(stored?.isActive).toBe(false);
    expect(stored?.inactiveReason).toMatch(/revoked/);
    expect(await mailsTo(world.ada.email)).toHaveLength(1);
  });

  test('are ignored when they withdraw a permission that was granted before a reconnect', async () => {
    const occurredAt = new Date(Date.parse(page.tokenIssuedAt) - 10 * secondMs).toISOString();

    await takeEvents('FACEBOOK', [commentEvent(page, { type: 'deauthorized', occurredAt })]);
    await drainWork();

    expect(await findSocialAccount(world.ada.organizationId, page.id)).toMatchObject({
      isActive: true,
    });
  });

  test.each([
    ['before', 'TransactWriteItems'],
    ['after', 'TransactWriteItems'],
    ['before', 'DeleteItem'],
  ] as const)('survive a worker that crashes %s its %s', async (when, operation) => {
    const earlier = new Set((await world.storedEvents()).map(({ sk }) => sk));
    process.env.QUEUE_URL_PREFIX = `${queues}gone-`;
    await takeEvents('FACEBOOK', [commentEvent(page)]);
    process.env.QUEUE_URL_PREFIX = queues;
    const work = (await world.storedEvents()).find(
      ({ sk }) => sk.startsWith('OUTBOX#') && !earlier.has(sk),
    );
    const message = { MessageId: page.id, Body: JSON.stringify(work) };
    const run = await runInProcess(
      'workers/inbound-events',
      sqsEvent([message]),
      world.proxy.endpoint,
    );
    world.proxy.faults.add({ operation, nth: 1, fault: { kind: 'kill', when, victim: run.kill } });
    expect(await run.answer).toBeUndefined();

    setClock(() => Date.now() + 2 * minuteMs);
    await runDueWork();

    const conversations = await conversationsOf(world.ada, page);
    expect(conversations.map(({ messages }) => messages.length)).toEqual([1]);
  });

  test('change nothing when the account no longer exists', async () => {
    const gone = { ...page, id: '0192f0c3-2b3e-73a4-95b6-2b3c4d5e6f70' };

    await handle(payloadOf(commentEvent(gone), gone.id, gone));

    expect(await conversationsOf(world.ada, gone)).toEqual([]);
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
