import { epochSeconds } from '#lib/platform/clock.ts';
import { wholeNumber } from '#lib/platform/config.ts';
import { hashToken } from '#lib/platform/crypto/one-time-token.ts';
import { absent, below, either } from '#lib/platform/db/conditions.ts';
import { type Key, keys } from '#lib/platform/db/keys.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { ApiError } from '#lib/platform/errors/api-error.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
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
 * Subjects that have exhausted their window. For a few seconds this instance rejects them without a
 * DynamoDB call, so that one abuser cannot create a hot partition.
 */
const exhausted = new Map<string, number>();
const rememberedSeconds = 5;
const maxRemembered = 10_000;

function limitOf(policy: RateLimitPolicy): number {
  return wholeNumber(policy.variable, policy.limit);
}

/**
 * Counts a request with one conditional write, so that the limit is exact across all instances.
 * Windows are fixed and start at multiples of their length.
 */
export async function consume(name: RateLimitName, subject: string): Promise<RateLimitState> {
  const policy: RateLimitPolicy = rateLimits[name];
  const limit = limitOf(policy);
  const window = Math.floor(epochSeconds() / policy.windowSeconds);
  const endsAtSeconds = (window + 1) * policy.windowSeconds;
  const key = keys.rateWindow(name, hashToken(subject), window);
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
    const counted = await write(
      change(key, {
        add: { used: 1 },
        set: { expiresAtSeconds: endsAtSeconds + policy.windowSeconds },
        when: either(absent('used'), below('used', limit)),
        orCreate: true,
        refused: () => new LimitReachedError(),
      }),
    );

    return state(Number(counted?.used ?? limit), true);
  } catch (failure) {
    if (failure instanceof LimitReachedError) {
      remember(key.pk, endsAtSeconds);

      return state(limit, false);
    }
    logger.error('A rate limit could not be counted', { name, failure: describeFailure(failure) });
    if (policy.whenUnavailable === 'closed') {
      throw failure;
    }

    return state(0, true);
  }
}

/** Adds to the count of a request that was allowed and turned out to cost more than one. */
export async function consumeMore(
  name: RateLimitName,
  subject: string,
  amount: number,
): Promise<void> {
  const { windowSeconds } = rateLimits[name];
  const window = Math.floor(epochSeconds() / windowSeconds);
  await write(
    change(keys.rateWindow(name, hashToken(subject), window), {
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

/** Returns the 429 if any limit is exceeded. `Retry-After` is the latest reset of those. */
export function rateLimitError(states: readonly RateLimitState[]): ApiError | undefined {
  const refused = states.filter(({ allowed }) => !allowed);
  if (refused.length === 0) {
    return undefined;
  }
  const retryAfter = Math.max(...refused.map(({ resetSeconds }) => resetSeconds));

  return new ApiError('tooManyRequests', 'Too many requests, please try again later', {
    headers: { 'retry-after': String(retryAfter) },
  });
}
