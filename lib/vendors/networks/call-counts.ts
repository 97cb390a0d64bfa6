import { AsyncLocalStorage } from 'node:async_hooks';
import type { Platform } from '#schemas/platforms.ts';

type Meter = { calls: number };

const meters = new AsyncLocalStorage<Meter>();

/**
 * Networks whose rate limits apply to the whole app, so one organization's calls use up the quota
 * of all. Facebook and Instagram limit each page or account separately.
 */
const networksWithSharedQuota: ReadonlySet<Platform> = new Set([
  'YOUTUBE',
  'LINKEDIN',
  'TWITTER',
  'TIKTOK',
]);

export function hasSharedQuota(platform: Platform): boolean {
  return networksWithSharedQuota.has(platform);
}

/** Counts a call if it runs inside `meterCalls`. */
export function noteCall(platform: Platform): void {
  const meter = meters.getStore();
  if (meter && hasSharedQuota(platform)) {
    meter.calls += 1;
  }
}

/** Runs `act` and reports the calls that it made to networks with a shared quota, even if it failed. */
export async function meterCalls<Result>(
  act: () => Promise<Result>,
  report: (calls: number) => Promise<void>,
): Promise<Result> {
  const meter: Meter = { calls: 0 };
  try {
    return await meters.run(meter, act);
  } finally {
    await report(meter.calls);
  }
}

/** The numbers of calls that a network charges for. */
export type PaidCalls = { readonly read: number; readonly write: number };

const counters = new AsyncLocalStorage<{ read: number; write: number }>();

/** Networks that charge for each call. */
const chargingNetworks: ReadonlySet<Platform> = new Set(['TWITTER']);

export function chargesForCalls(platform: Platform): boolean {
  return chargingNetworks.has(platform);
}

/** Counts a successful call if it runs inside `countPaidCalls`. */
export function notePaidCall(kind: keyof PaidCalls): void {
  const counter = counters.getStore();
  if (counter) {
    counter[kind] += 1;
  }
}

/** Runs `act` and reports the paid calls that it made, even if it failed. */
export async function countPaidCalls<Result>(
  act: () => Promise<Result>,
  report: (calls: PaidCalls) => Promise<void>,
): Promise<Result> {
  const counter = { read: 0, write: 0 };
  try {
    return await counters.run(counter, act);
  } finally {
    await report(counter);
  }
}
