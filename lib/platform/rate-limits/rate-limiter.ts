import { isIPv6 } from 'node:net';
import { epochSeconds } from '#lib/platform/clock.ts';
import { wholeNumber } from '#lib/platform/config.ts';
import { hashToken } from '#lib/platform/crypto/one-time-token.ts';
import { absent, below, either } from '#lib/platform/db/conditions.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { systemKeys } from '#lib/platform/db/keys/system.ts';
import { get } from '#lib/platform/db/read.ts';
import { change, discard, type Write, write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { type ApiError, apiError } from '#lib/platform/errors/failures.ts';
import { describeFailure } from '#lib/platform/log/logger.ts';
import { logAlarmingError } from '#lib/platform/metrics/embedded-metrics.ts';
import { type RateLimitName, type RateLimitPolicy, rateLimits } from '#schemas/rate-limits.ts';

export type RateLimitState = {
  readonly name: RateLimitName;
  readonly allowed: boolean;
  readonly limit: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  /** Undoes the count, if the request should not have been counted. */
  readonly giveBack: () => Promise<void>;
};

class LimitReachedError extends Error {}

/**
 * Subjects that have exhausted their window. For a few seconds, this instance rejects them without
 * a DynamoDB call, so that one abuser cannot create a hot partition.
 */
const exhausted = new Map<string, number>();
const rememberedSeconds = 5;
const maxRemembered = 10_000;

function limitOf(policy: RateLimitPolicy): number {
  return wholeNumber(policy.variable, policy.limit);
}

/**
 * Windows are fixed and start at multiples of their length. IP addresses are counted per network,
 * because an IPv6 host can use any address of its /64.
 */
function windowOf(name: RateLimitName, subject: string) {
  const policy: RateLimitPolicy = rateLimits[name];
  const window = Math.floor(epochSeconds() / policy.windowSeconds);

  return {
    policy,
    limit: limitOf(policy),
    endsAtSeconds: (window + 1) * policy.windowSeconds,
    key: systemKeys.rateWindow(name, hashToken(countedSubject(name, subject)), window),
  };
}

/** Removes all requests from the current window of a `clearable` limit. */
export function planClear(name: RateLimitName, subject: string): Write {
  return discard(windowOf(name, subject).key);
}

/** Counts a use in the transaction of the limited action, so that the limit is exact. */
export function planCount(
  name: RateLimitName,
  subject: string,
  onConditionFailed: () => Error,
): Write {
  const { policy, limit, endsAtSeconds, key } = windowOf(name, subject);

  return change(key, {
    add: { used: 1 },
    set: { expiresAtSeconds: endsAtSeconds + policy.windowSeconds },
    when: either(absent('used'), below('used', limit)),
    orCreate: true,
    onConditionFailed,
  });
}

/** Returns true if the limit is reached. Counts nothing. */
export async function isExhausted(name: RateLimitName, subject: string): Promise<boolean> {
  const { limit, key } = windowOf(name, subject);
  const counted = await get<{ used?: number }>(key);

  return (counted?.used ?? 0) >= limit;
}

/** Counts a request with one conditional write, so that the limit is exact across all instances. */
export async function consume(name: RateLimitName, subject: string): Promise<RateLimitState> {
  const { policy, limit, endsAtSeconds, key } = windowOf(name, subject);
  const state = (used: number, allowed: boolean): RateLimitState => ({
    name,
    allowed,
    limit,
    windowSeconds: policy.windowSeconds,
    remaining: Math.max(0, limit - used),
    resetSeconds: Math.max(1, endsAtSeconds - epochSeconds()),
    giveBack: () => decrement(key),
  });
  if ((exhausted.get(key.pk) ?? 0) > epochSeconds()) {
    return state(limit, false);
  }
  try {
    const counted = await write(planCount(name, subject, () => new LimitReachedError()));

    return state(Number(counted?.used ?? limit), true);
  } catch (failure) {
    if (failure instanceof LimitReachedError) {
      if (!policy.clearable) {
        remember(key.pk, endsAtSeconds);
      }

      return state(limit, false);
    }
    logAlarmingError('RateLimitUncounted', 'A rate limit could not be counted', {
      name,
      failure: describeFailure(failure),
    });
    if (policy.whenUnavailable === 'closed') {
      throw failure;
    }

    return state(0, true);
  }
}

/**
 * Counts a request and returns the state, for the headers of the response.
 *
 * @throws 429 if the limit is exceeded.
 */
export async function consumeAllowed(
  name: RateLimitName,
  subject: string,
  counted: (states: readonly RateLimitState[]) => void,
): Promise<RateLimitState> {
  const state = await consume(name, subject);
  counted([state]);
  requireAllowed([state]);

  return state;
}

/** Counts an allowed request again, because it turned out to cost more than one. */
export async function consumeMore(
  name: RateLimitName,
  subject: string,
  amount: number,
): Promise<void> {
  const { windowSeconds } = rateLimits[name];
  const window = Math.floor(epochSeconds() / windowSeconds);
  await write(
    change(systemKeys.rateWindow(name, hashToken(subject), window), {
      add: { used: amount },
      set: { expiresAtSeconds: (window + 2) * windowSeconds },
      orCreate: true,
    }),
  );
}

function remember(subject: string, untilSeconds: number): void {
  if (exhausted.size >= maxRemembered) {
    exhausted.clear();
  }
  exhausted.set(subject, Math.min(untilSeconds, epochSeconds() + rememberedSeconds));
}

async function decrement(key: Key): Promise<void> {
  await writeIfMet(change(key, { add: { used: -1 } }));
}

/** Undoes the counts of a request that should not have been counted. */
export async function giveBackAllowed(states: readonly RateLimitState[]): Promise<void> {
  await Promise.all(states.filter(({ allowed }) => allowed).map(({ giveBack }) => giveBack()));
}

/** Returns the headers of draft-ietf-httpapi-ratelimit-headers. */
export function rateLimitHeaders(states: readonly RateLimitState[]): Record<string, string> {
  return {
    'ratelimit-policy': states
      .map(({ name, limit, windowSeconds }) => `"${name}";q=${limit};w=${windowSeconds}`)
      .join(', '),
    ratelimit: states
      .map(({ name, remaining, resetSeconds }) => `"${name}";r=${remaining};t=${resetSeconds}`)
      .join(', '),
  };
}

/** @throws 429 if any of the limits is exceeded. */
export function requireAllowed(states: readonly RateLimitState[]): void {
  const refusal = rateLimitError(states);
  if (refusal) {
    throw refusal;
  }
}

/**
 * Returns the 429 if any limit is exceeded. `Retry-After` is the latest reset of the exceeded
 * limits.
 */
export function rateLimitError(states: readonly RateLimitState[]): ApiError | undefined {
  const refused = states.filter(({ allowed }) => !allowed);
  if (refused.length === 0) {
    return undefined;
  }
  const retryAfter = Math.max(...refused.map(({ resetSeconds }) => resetSeconds));

  return apiError('RATE_LIMITED', 'Too many requests, please try again later', {
    headers: { 'retry-after': String(retryAfter) },
  });
}

/** Returns the value that a limit counts: the user, the email address, or the IP range. */
export function countedSubject(name: RateLimitName, subject: string): string {
  return rateLimits[name].per === 'ip' ? addressRangeOf(subject) : subject;
}

const mappedIpv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * Returns the range by which an IP address is counted: an IPv4 address itself, or the /64 of an
 * IPv6 address, because its owner can use every address in it.
 */
export function addressRangeOf(address: string): string {
  const mapped = mappedIpv4.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) {
    return mapped ?? address;
  }
  const [head = '', tail] = address.split('%', 1).join().split('::');
  const before = groupsOf(head);
  const after = groupsOf(tail ?? '');
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  const groups = [...before, ...zeros, ...after].slice(0, 4);

  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

/** An IPv4 address at the end replaces two groups. */
function groupsOf(part: string): readonly string[] {
  return part === ''
    ? []
    : part.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
}
