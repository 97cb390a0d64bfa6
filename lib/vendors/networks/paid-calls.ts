import { AsyncLocalStorage } from 'node:async_hooks';
import type { Platform } from '#schemas/platforms.ts';

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
