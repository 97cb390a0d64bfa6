import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { startIdleDeadline } from '#lib/vendors/stripe/bounded-http-client.ts';

function compute(forMs: number): void {
  const endsAtMs = performance.now() + forMs;
  while (performance.now() < endsAtMs) {
    createHash('sha256').update('x'.repeat(10_000)).digest();
  }
}

async function measure(act: () => void): Promise<number> {
  const startedAtMs = performance.now();
  const expired = new Promise<void>((resolve) => {
    startIdleDeadline(200, resolve);
  });
  act();
  await expired;

  return performance.now() - startedAtMs;
}

test('an idle deadline expires after the limit in an idle process', async () => {
  expect(await measure(() => undefined)).toBeGreaterThanOrEqual(195);
});

test('an idle deadline does not count the time in which the process computes', async () => {
  expect(await measure(() => compute(600))).toBeGreaterThanOrEqual(750);
});

test('an idle deadline never expires after it was canceled', async () => {
  const expire = vi.fn();
  startIdleDeadline(20, expire)();
  await wait(60);

  expect(expire).not.toHaveBeenCalled();
});
