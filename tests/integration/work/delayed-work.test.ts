import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { handler as sweep } from '#functions/jobs/due-work.ts';
import { hourMs, minuteMs, secondMs, setClock } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { write } from '#lib/platform/db/write.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import { drainWork } from '#tests/support/work.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Creates work that is done when it starts. */
async function plan(delayMs: number) {
  const nobodys = {
    organizationId: randomUUID(),
    sourceId: randomUUID(),
    deliveryId: randomUUID(),
  };
  const owner = keys.organization(nobodys.organizationId);
  const work = planWork('webhook', { owner, payload: nobodys, delayMs });
  await write(work);

  return { isDone: async () => (await get(work.key)) === undefined };
}

function setClockAhead(ms: number): void {
  setClock(() => Date.now() + ms);
}

describe('delayed work', () => {
  test('of some seconds is started by its queue when due, and not before', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const plannedAt = Date.now();
    const work = await plan(2 * secondMs);
    vi.setSystemTime(plannedAt + 2 * secondMs - 1);
    await drainWork('outbound-webhooks');
    expect(await work.isDone()).toBe(false);

    vi.setSystemTime(plannedAt + 2 * secondMs);
    await drainWork('outbound-webhooks');
    expect(await work.isDone()).toBe(true);
  });

  test('of hours is started by the sweep when due, and not before', async () => {
    const work = await plan(2 * hourMs);
    setClockAhead(2 * hourMs - secondMs);
    expect(await sweep()).toEqual({ sent: 0 });
    await drainWork('outbound-webhooks');
    expect(await work.isDone()).toBe(false);

    setClockAhead(2 * hourMs + secondMs);
    expect(await sweep()).toEqual({ sent: 1 });
    await drainWork('outbound-webhooks');
    expect(await work.isDone()).toBe(true);
  });

  test('is started by the sweep a minute after its time when its message is lost', async () => {
    vi.stubEnv('QUEUE_URL_PREFIX', `${process.env.QUEUE_URL_PREFIX}gone-`);
    const work = await plan(10 * minuteMs);
    vi.unstubAllEnvs();
    setClockAhead(11 * minuteMs - secondMs);
    expect(await sweep()).toEqual({ sent: 0 });

    setClockAhead(11 * minuteMs + secondMs);
    expect(await sweep()).toEqual({ sent: 1 });
    await drainWork('outbound-webhooks');
    expect(await work.isDone()).toBe(true);
  });
});
