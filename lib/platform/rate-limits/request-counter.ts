import { randomInt } from 'node:crypto';
import { epochSeconds } from '#lib/platform/clock.ts';
import { wholeNumber } from '#lib/platform/config.ts';
import { hashToken } from '#lib/platform/crypto/one-time-token.ts';
import { absent, below, either } from '#lib/platform/db/conditions.ts';
import { systemKeys } from '#lib/platform/db/keys/system.ts';
import { change } from '#lib/platform/db/write.ts';
import { changeIfMet } from '#lib/platform/db/write-if-met.ts';
import { describeFailure } from '#lib/platform/log/logger.ts';
import { logAlarmingError } from '#lib/platform/metrics/embedded-metrics.ts';
import { type RateLimitName, rateLimits } from '#schemas/rate-limits.ts';
import { countedSubject, type RateLimitState } from './rate-limiter.ts';

/** The limits that instances count in shares. */
export type RequestLimit = {
  [Name in RateLimitName]: (typeof rateLimits)[Name] extends { inShares: true } ? Name : never;
}[RateLimitName];

/** The state of a subject in the current window, as this instance knows it. */
type Count = {
  readonly window: number;
  /** Requests to this instance. */
  own: number;
  /** The number that this instance has added to the shared counter. */
  written: number;
  /** The number that other instances had added by the last write. */
  others: number;
  /** Number of requests until the next write. */
  untilWrite: number;
  isExhausted: boolean;
};

export type CountedRequest = {
  readonly state: RateLimitState;
  /** The write to the shared counter, if this request causes one. It never fails. */
  readonly written: Promise<RateLimitState> | undefined;
  /** True if each request is written, so that the limit is exact. */
  readonly isExact: boolean;
};

/** A share is the limit divided by this number. */
const sharesOfLimit = 100;
/** A count takes about 200 bytes, so this is 2 MB. */
const maxCounts = 10_000;
const counts = new Map<string, Count>();
/** Returned instead of the remaining number if the request is above the limit. */
const refused = -1;

/**
 * Counts a request in this instance. Every `share`-th request adds a whole share to the counter of
 * all instances. The first write happens after a random number of requests, so that the counter is
 * right on average even if the requests are spread over many instances.
 *
 * @param isShared false for functions without access to the table, which count only their own
 * requests.
 */
export function countRequest(name: RequestLimit, caller: string, isShared = true): CountedRequest {
  const subject = countedSubject(name, caller);
  const { variable, limit: usual, windowSeconds } = rateLimits[name];
  const limit = wholeNumber(variable, usual);
  const share = Math.max(1, Math.floor(limit / sharesOfLimit));
  const isExact = share === 1;
  const window = Math.floor(epochSeconds() / windowSeconds);
  const count = countOf(`${name} ${subject}`, window, share);
  count.own += 1;
  count.untilWrite -= 1;
  count.isExhausted ||= count.own + (isExact ? 0 : count.others) > limit;
  const stateWith = (remaining: number): RateLimitState => ({
    name,
    allowed: remaining >= 0,
    limit,
    windowSeconds,
    remaining: Math.max(0, remaining),
    resetSeconds: Math.max(1, (window + 1) * windowSeconds - epochSeconds()),
    giveBack: async () => undefined,
  });
  const state = stateWith(
    count.isExhausted ? refused : Math.max(0, limit - count.others - count.own),
  );
  if (count.isExhausted || !isShared || count.untilWrite > 0) {
    return { state, written: undefined, isExact };
  }
  count.untilWrite = share;
  const written = addShare(name, subject, { window, share, limit }, count).then(stateWith);

  return { state, written, isExact };
}

/**
 * Counts a request that turned out to cost as much as several. The request was already allowed, so
 * the count may exceed the limit. The write never fails.
 */
export async function countMore(
  name: RequestLimit,
  subject: string,
  amount: number,
): Promise<void> {
  const { variable, limit: usual, windowSeconds } = rateLimits[name];
  const limit = wholeNumber(variable, usual);
  const window = Math.floor(epochSeconds() / windowSeconds);
  const count = countOf(`${name} ${subject}`, window, 1);
  count.own += amount;
  count.isExhausted ||= count.own + count.others > limit;
  try {
    const stored = await changeIfMet<{ used: number }>(
      change(systemKeys.rateWindow(name, hashToken(subject), window), {
        add: { used: amount },
        set: { expiresAtSeconds: (window + 2) * windowSeconds },
        orCreate: true,
      }),
    );
    count.written += amount;
    count.others = Math.max(0, Number(stored?.used) - count.written);
  } catch (failure) {
    logUncounted(name, failure);
  }
}

function logUncounted(name: RequestLimit, failure: unknown): void {
  logAlarmingError('RateLimitUncounted', 'A rate limit could not be counted', {
    name,
    failure: describeFailure(failure),
  });
}

function countOf(id: string, window: number, share: number): Count {
  const known = counts.get(id);
  if (known?.window === window) {
    return known;
  }
  if (counts.size >= maxCounts) {
    counts.clear();
  }
  const untilWrite = 1 + randomInt(share);
  const fresh = { window, own: 0, written: 0, others: 0, untilWrite, isExhausted: false };
  counts.set(id, fresh);

  return fresh;
}

type Share = { readonly window: number; readonly share: number; readonly limit: number };

/**
 * Adds a share, unless the limit is used up. If the table fails, the request is allowed.
 *
 * @returns the remaining number, or `refused`.
 */
async function addShare(
  name: RequestLimit,
  subject: string,
  { window, share, limit }: Share,
  count: Count,
): Promise<number> {
  try {
    const stored = await changeIfMet<{ used: number }>(
      change(systemKeys.rateWindow(name, hashToken(subject), window), {
        add: { used: share },
        set: { expiresAtSeconds: (window + 2) * rateLimits[name].windowSeconds },
        when: either(absent('used'), below('used', limit - share + 1)),
        orCreate: true,
      }),
    );
    if (!stored) {
      count.isExhausted = true;

      return refused;
    }
    count.written += share;
    count.others = Math.max(0, stored.used - count.written);

    return limit - stored.used;
  } catch (failure) {
    logUncounted(name, failure);

    return Math.max(0, limit - count.others - count.own);
  }
}
