import { randomUUID } from 'node:crypto';
import type { SQSBatchResponse } from 'aws-lambda';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { handler as sweep } from '#functions/jobs/due-work.ts';
import { hourMs, minuteMs, now, secondMs, setClock } from '#lib/platform/clock.ts';
import { ConditionNotMetError } from '#lib/platform/db/failures.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { create, noExtraWrites, put, write } from '#lib/platform/db/write.ts';
import { replayDelivery } from '#lib/platform/webhooks/change-delivery.ts';
import { planEvent } from '#lib/platform/webhooks/deliveries.ts';
import { listDeliveries } from '#lib/platform/webhooks/delivery.ts';
import { newWebhookEndpoint } from '#lib/platform/webhooks/endpoint-secrets.ts';
import { findWebhookEndpoint } from '#lib/platform/webhooks/endpoints.ts';
import type { Moment } from '#scripts/dynamodb-proxy/faults.ts';
import { depth } from '#tests/support/depth.ts';
import { runInProcess } from '#tests/support/doomed-call.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import { sandbox } from '#tests/support/mails.ts';
import { useProxy } from '#tests/support/proxy.ts';
import { storedItems } from '#tests/support/table.ts';
import { drainWork, sqsEvent } from '#tests/support/work.ts';

const organizationId = randomUUID();
const receiver = `${process.env.WEBHOOK_ALLOWED_ORIGINS}/_sandbox/hooks`;

const proxy = await useProxy();

afterEach(() => {
  vi.useRealTimers();
});

/** Creates an event source with its own webhook endpoint. */
async function source(url?: string) {
  const sourceId = randomUUID();
  const { endpoint, secret } = await newWebhookEndpoint(
    organizationId,
    sourceId,
    url ?? `${receiver}/${sourceId}`,
  );
  await write(put(keys.webhookEndpoint(organizationId, sourceId), endpoint));

  return { sourceId, endpoint, secret: String(secret) };
}

type Source = Awaited<ReturnType<typeof source>>;

async function emitEvent({ endpoint }: Source, data: unknown = { text: 'grüße' }): Promise<void> {
  const event = planEvent(endpoint, { type: 'message.received', data });
  await write(...event);
}

async function received({ sourceId }: Source) {
  const requests = await sandbox.requests({ service: 'hooks' });

  return requests.filter(({ path }) => path.endsWith(sourceId));
}

async function deliveriesOf({ sourceId }: Source) {
  return (await listDeliveries(organizationId, sourceId, { limit: 10 })).items;
}

/** Moves the service's clock ahead of the system clock. */
function setClockAhead(ms: number): void {
  setClock(() => Date.now() + ms);
}

function rejectDeliveries(
  { sourceId }: Source,
  fault: Partial<Parameters<typeof sandbox.addFault>[0]> = {},
) {
  return sandbox.addFault({
    service: 'hooks',
    path: sourceId,
    mode: 'error',
    status: 500,
    ...fault,
  });
}

describe('an event', () => {
  test('is delivered with a signature that the reference library accepts', async () => {
    const one = await source();
    await emitEvent(one, { text: 'grüße', channel: 'COMMENT' });
    await drainWork();

    const [request, ...others] = await received(one);
    expect(others).toEqual([]);
    expect(new Webhook(one.secret).verify(request?.body ?? '', request?.headers as never)).toEqual({
      type: 'message.received',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: { text: 'grüße', channel: 'COMMENT' },
    });
    expect(request?.headers['content-type']).toBe('application/json');
    expect(await deliveriesOf(one)).toMatchObject([
      {
        id: request?.headers['webhook-id'],
        status: 'DELIVERED',
        attempts: 1,
        responseStatus: 200,
      },
    ]);
  });

  test('leaves no work behind, and is not sent, if its change is rejected', async () => {
    const one = await source();
    await emitEvent(one);
    await drainWork();
    const taken = planEvent(one.endpoint, { type: 'message.received', data: {} });
    const refused = create(keys.webhookEndpoint(organizationId, one.sourceId), {});
    await expect(write(refused, ...taken)).rejects.toThrow(ConditionNotMetError);
    await drainWork();

    expect(await received(one)).toHaveLength(1);
    expect(await deliveriesOf(one)).toHaveLength(1);
    const items = await storedItems(`ORG#${organizationId}#WEBHOOK`);
    expect(items.filter(({ sk }) => sk.startsWith('OUTBOX'))).toEqual([]);
  });

  test('of a source without an endpoint is dropped', () => {
    expect(planEvent(undefined, { type: 'content.published', data: {} })).toEqual([]);
  });

  test('does not follow redirects', async () => {
    const one = await source();
    const other = await source();
    await rejectDeliveries(one, {
      status: 302,
      headers: { location: `${receiver}/${other.sourceId}` },
    });
    await emitEvent(one);
    await drainWork();

    expect(await received(other)).toEqual([]);
    expect(await deliveriesOf(one)).toMatchObject([{ status: 'PENDING', responseStatus: 302 }]);
  });

  test.each([
    'http://127.0.0.1:1/',
    'https://127.0.0.1:8443/',
    'https://localhost:8443/',
    'https://169.254.169.254/',
  ])('is not sent to %s, even if it is stored as the endpoint', async (url) => {
    const one = await source(url);
    await emitEvent(one);
    await drainWork();

    expect(await deliveriesOf(one)).toMatchObject([
      { status: 'PENDING', attempts: 1, failureReason: expect.stringContaining('The URL must') },
    ]);
  });

  test('is retried when the endpoint hangs, closes the connection or is down', async () => {
    vi.stubEnv('WEBHOOK_TIMEOUT_MS', '100');
    for (const mode of ['hang', 'hang-after', 'refuse', 'down'] as const) {
      const one = await source();
      await rejectDeliveries(one, { mode });
      await emitEvent(one);
      await drainWork();
      expect(await deliveriesOf(one)).toMatchObject([
        { status: 'PENDING', attempts: 1, failureReason: expect.any(String) },
      ]);
    }
  });
});

describe('an event that is not accepted', () => {
  const delaysMs = [
    5 * secondMs,
    5 * minuteMs,
    30 * minuteMs,
    2 * hourMs,
    5 * hourMs,
    10 * hourMs,
    14 * hourMs,
  ];

  test('is tried eight times on the documented schedule under one id, then stored as failed', async () => {
    const begunAt = Date.now();
    let aheadMs = 0;
    // Stops the clock between two steps, however long these take.
    const stopClockAt = (ms: number) => setClock(() => begunAt + ms);
    stopClockAt(0);
    const one = await source();
    await rejectDeliveries(one);
    await emitEvent(one);
    await drainWork();
    for (const [index, delayMs] of delaysMs.entries()) {
      expect(await received(one)).toHaveLength(index + 1);
      const [pending] = await deliveriesOf(one);
      const waitMs = Date.parse(String(pending?.nextAttemptAt)) - now();
      expect(waitMs).toBe(delayMs);

      stopClockAt(aheadMs + waitMs - 1);
      await runDueWork();
      expect(await received(one)).toHaveLength(index + 1);
      // The sweep dispatches work whose queue message has not started it within a minute.
      aheadMs += waitMs + minuteMs + secondMs;
      stopClockAt(aheadMs);
      await runDueWork();
    }

    const requests = await received(one);
    expect(requests).toHaveLength(8);
    expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
    expect(new Set(requests.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(8);
    expect(await deliveriesOf(one)).toMatchObject([
      { status: 'FAILED', attempts: 8, failureReason: 'The endpoint returned 500' },
    ]);
    stopClockAt(aheadMs + 24 * hourMs);
    await runDueWork();
    expect(await received(one)).toHaveLength(8);
  });

  test('waits in the queue itself for a short delay', async () => {
    const one = await source();
    vi.useFakeTimers({ toFake: ['Date'] });
    setClock(() => Date.now());
    await rejectDeliveries(one, { times: 1 });
    await emitEvent(one);
    await drainWork();
    expect(await received(one)).toHaveLength(1);

    const [pending] = await deliveriesOf(one);
    vi.setSystemTime(String(pending?.nextAttemptAt));
    await drainWork('outbound-webhooks');
    expect(await deliveriesOf(one)).toMatchObject([{ status: 'DELIVERED', attempts: 2 }]);
  });

  test('waits as long as the endpoint requests', async () => {
    const one = await source();
    await rejectDeliveries(one, { status: 429, headers: { 'retry-after': '3600' } });
    await emitEvent(one);
    await drainWork();

    const [pending] = await deliveriesOf(one);
    expect(Date.parse(String(pending?.nextAttemptAt)) - now()).toBeGreaterThan(3_590_000);
  });

  test('stops all deliveries when the endpoint returns 410 Gone', async () => {
    const one = await source();
    await rejectDeliveries(one, { status: 410 });
    await emitEvent(one);
    await drainWork();

    expect(await deliveriesOf(one)).toMatchObject([{ status: 'FAILED', attempts: 1 }]);
    const endpoint = await findWebhookEndpoint(organizationId, one.sourceId);
    expect(endpoint?.isActive).toBe(false);
    expect(planEvent(endpoint, { type: 'message.sent', data: {} })).toEqual([]);
  });

  test('can be replayed under its id with a full set of attempts after it failed', async () => {
    const one = await source();
    const fault = await rejectDeliveries(one, { status: 410 });
    await emitEvent(one);
    await drainWork();
    const [failed] = await deliveriesOf(one);
    const wanted = {
      organizationId,
      sourceId: one.sourceId,
      deliveryId: String(failed?.id),
    };
    await sandbox.endFault(fault.id);
    await write(put(keys.webhookEndpoint(organizationId, one.sourceId), one.endpoint));

    const replays = await Promise.allSettled([
      replayDelivery(wanted, noExtraWrites),
      replayDelivery(wanted, noExtraWrites),
    ]);
    expect(replays.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await drainWork();

    const ids = (await received(one)).map(({ headers }) => headers['webhook-id']);
    expect(ids).toEqual([failed?.id, failed?.id]);
    expect(await deliveriesOf(one)).toMatchObject([{ status: 'DELIVERED', attempts: 1 }]);
  });

  test("fails when the subscription has ended, except for a source's last event", async () => {
    const [one, last] = [await source(), await source()];
    await emitEvent(one);
    const event = planEvent(last.endpoint, {
      type: 'account.disconnected',
      data: {},
      isLast: true,
    });
    await write(...event);
    for (const { sourceId } of [one, last]) {
      await write(put(keys.webhookEndpoint(organizationId, sourceId), { isActive: false }));
    }
    await drainWork();

    expect(await received(one)).toEqual([]);
    expect(await deliveriesOf(one)).toMatchObject([
      { status: 'FAILED', failureReason: 'The webhook was removed or switched off' },
    ]);
    expect(await received(last)).toHaveLength(1);
  });
});

describe('a delivery', () => {
  test('is counted for exactly the 30 days it is kept', async () => {
    const one = await source();
    const list = () => listDeliveries(organizationId, one.sourceId, { limit: 2 });
    for (let number = 0; number < 3; number += 1) {
      await emitEvent(one);
    }
    expect((await list()).pagination).toMatchObject({ total: 3, hasMore: true });

    setClockAhead(29 * 24 * hourMs);
    await emitEvent(one);
    expect((await list()).pagination.total).toBe(4);
    setClockAhead(31.5 * 24 * hourMs);
    expect(await list()).toMatchObject({ items: [{}], pagination: { total: 1, hasMore: false } });
  });

  const deaths: ReadonlyArray<readonly [when: Moment, nth: number]> = [
    ['after', 1],
    ['before', 2],
    ['after', 2],
    ['before', 3],
    ['before', 1],
    ['after', 3],
  ];
  const runs = depth(4);

  test(
    'survives a worker crash at any of its writes, under one id',
    async () => {
      for (let run = 0; run < runs; run += 1) {
        const [when, nth] = deaths[run % deaths.length] ?? ['after', 1];
        const one = await source();
        const event = planEvent(one.endpoint, { type: 'message.sent', data: {} });
        await write(...event);
        const work = event.find(({ key }) => key.sk.startsWith('OUTBOX#webhook#'));
        const message = { MessageId: randomUUID(), Body: JSON.stringify(work?.key) };
        const doomed = await runInProcess<SQSBatchResponse>(
          'workers/outbound-webhooks',
          sqsEvent([message]),
          proxy.endpoint,
        );
        proxy.faults.add({
          operation: ['UpdateItem', 'DeleteItem'],
          nth,
          fault: { kind: 'kill', when, victim: doomed.kill },
        });
        expect([when, nth, await doomed.answer]).toEqual([when, nth, undefined]);
        proxy.faults.clear();

        setClockAhead(6 * minuteMs);
        await sweep();
        await drainWork();
        setClock();

        const ids = (await received(one)).map(({ headers }) => headers['webhook-id']);
        expect(ids.length).toBeGreaterThan(0);
        expect(ids.length).toBeLessThanOrEqual(2);
        expect(new Set(ids).size).toBe(1);
        expect(await deliveriesOf(one)).toMatchObject([{ status: 'DELIVERED' }]);
      }
    },
    30_000 * runs,
  );
});
