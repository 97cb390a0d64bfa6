import { createHmac } from 'node:crypto';
import { SQSClient } from '@aws-sdk/client-sqs';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { dayMs, minuteMs, setClock } from '#lib/platform/clock.ts';
import type { Platform } from '#schemas/platforms.ts';
import { receiveNetworkEvents } from '#schemas/social-webhooks.ts';
import { localSecret } from '#scripts/dev/stack/local-secret.ts';
import { signedEvent } from '#scripts/fixtures/network-events.ts';
import { connectedAccount } from '#scripts/fixtures/social-accounts.ts';
import { callInProcess } from '#tests/support/doomed-call.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import { metricLinesSince, placeInLog } from '#tests/support/log-book.ts';
import { sandbox } from '#tests/support/mails.ts';
import { conversationsOf, deliver, deliverEncoded } from '#tests/support/network-events.ts';
import { drainWork } from '#tests/support/work.ts';
import { intakeSetup } from './setup.ts';

let page: SocialAccount;

const world = await intakeSetup();

beforeEach(async () => {
  page = await connectedAccount(world.ada.organizationId);
});

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
    const account = await connectedAccount(world.ada.organizationId, { platform });
    const customer = { id: `customer-${account.id}`, name: 'Charles Babbage' };
    const delivery = await signedEvent(account, { type, from: customer, text: 'Grüße, 你好 👋' });

    const { status, body } = await deliver(platform, delivery);
    await drainWork('inbound-events');

    expect([status, body]).toEqual([200, { success: true, received: 1 }]);
    const conversations = await conversationsOf(world.ada, account);
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

  test('with ids as numbers and some unreadable parts is processed except for these parts', async () => {
    const account = await connectedAccount(world.ada.organizationId, {
      platformUserId: '17841405793187218',
    });
    const network = sandbox.network('FACEBOOK');
    await network.setSettings({ numericIds: true });
    const from = { id: '24841405793187219', name: 'Charles Babbage' };
    const sent = await signedEvent(account, { type: 'message', text: 'Hi', from });
    await network.setSettings({ numericIds: false });
    const body = sent.body.replace(
      '"entry":[',
      '"entry":[null,{"id":1,"messaging":[{"message":{}}]},',
    );
    const secret = JSON.parse(localSecret({})).networks.FACEBOOK.clientSecret;
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    const place = placeInLog();

    const answer = await deliver('FACEBOOK', {
      headers: { ...sent.headers, 'x-hub-signature-256': `sha256=${signature}` },
      body,
    });
    await drainWork('inbound-events');

    expect(sent.body).toContain('"id":17841405793187218,');
    expect([answer.status, answer.body.received]).toEqual([200, 1]);
    expect(metricLinesSince(place, 'UnreadableEvent')).toHaveLength(2);
    expect(await conversationsOf(world.ada, account)).toMatchObject([
      { customer: { id: from.id }, messages: [{ text: 'Hi' }] },
    ]);
  });

  test('of a repost on X is ignored', async () => {
    const account = await connectedAccount(world.ada.organizationId, { platform: 'TWITTER' });
    const repost = { type: 'mention', text: 'RT @us: 5', repostOf: '7' } as const;

    const answer = await deliver('TWITTER', await signedEvent(account, repost));

    expect([answer.status, answer.body.received]).toEqual([200, 0]);
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
    const before = await world.storedEvents();
    const delivery = await signedEvent(page);

    const { status, body } = await deliver('FACEBOOK', { ...delivery, ...change(delivery) });

    expect([status, body.message]).toEqual([401, 'Invalid signature']);
    expect(await world.storedEvents()).toEqual(before);
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
    const before = await world.storedEvents();
    const stranger = { ...page, platformUserId: '1000000000' };

    const { status, body } = await deliver('FACEBOOK', await signedEvent(stranger));

    expect([status, body.received]).toEqual([200, 0]);
    expect(await world.storedEvents()).toEqual(before);
  });

  test('is processed once for twenty concurrent requests', async () => {
    const delivery = await signedEvent(page);

    const answers = await Promise.all(
      Array.from({ length: 20 }, () => deliver('FACEBOOK', delivery)),
    );
    await drainWork('inbound-events');

    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(answers.reduce((sum, { body }) => sum + body.received, 0)).toBe(1);
    const [conversation, ...others] = await conversationsOf(world.ada, page);
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

    const [conversation] = await conversationsOf(world.ada, page);
    expect(conversation.messages).toHaveLength(1);
  });

  test('is acknowledged while the queues hang, and processed by the sweep', async () => {
    const delivery = await signedEvent(page);
    const sending = vi
      .spyOn(SQSClient.prototype, 'send')
      .mockImplementation(() => new Promise(() => {}));
    const { status } = await deliver('FACEBOOK', delivery);
    sending.mockRestore();

    expect(status).toBe(200);
    setClock(() => Date.now() + 2 * minuteMs);
    await runDueWork();
    expect(await conversationsOf(world.ada, page)).toHaveLength(1);
  });

  test('is neither lost nor duplicated when the process crashes before it responds', async () => {
    const delivery = await signedEvent(page);
    const doomed = await callInProcess(
      receiveNetworkEvents,
      { params: { platform: 'facebook' }, ...delivery },
      world.proxy.endpoint,
    );
    const fault = { kind: 'kill', when: 'after', victim: doomed.kill } as const;
    world.proxy.faults.add({ operation: 'TransactWriteItems', nth: 1, fault });
    expect(await doomed.answer).toBeUndefined();

    expect((await deliver('FACEBOOK', delivery)).body.received).toBe(0);
    setClock(() => Date.now() + 2 * minuteMs);
    await runDueWork();

    const conversations = await conversationsOf(world.ada, page);
    expect(conversations.map(({ messages }) => messages.length)).toEqual([1]);
  });
});
