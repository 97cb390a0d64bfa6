/** The state of a rate limit. */
export type RateState = {
  readonly isExceeded: boolean;
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** The time when the oldest counted call leaves the window. */
  readonly resetAt: Date;
};

export type RateLimiter = {
  /** Counts a call, unless the limit is exceeded. */
  readonly take: (key: string, limit: number, windowMs: number) => RateState;
  /** Returns the state without counting a call. */
  readonly peek: (key: string, limit: number, windowMs: number) => RateState;
};

/** Counts calls in sliding windows, by the sandbox's clock. */
export function createRateLimiter(clock: () => Date): RateLimiter {
  const calls = new Map<string, number[]>();
  const recentCalls = (key: string, windowMs: number): number[] => {
    const times = calls.get(key) ?? [];
    const firstCounted = times.findIndex((time) => time > clock().getTime() - windowMs);
    times.splice(0, firstCounted < 0 ? times.length : firstCounted);
    calls.set(key, times);

    return times;
  };
  const stateOf = (times: readonly number[], limit: number, windowMs: number) => ({
    limit,
    used: times.length,
    remaining: Math.max(0, limit - times.length),
    resetAt: new Date((times[0] ?? clock().getTime()) + windowMs),
  });

  return {
    peek: (key, limit, windowMs) => {
      const times = recentCalls(key, windowMs);

      return { ...stateOf(times, limit, windowMs), isExceeded: times.length >= limit };
    },
    take: (key, limit, windowMs) => {
      const times = recentCalls(key, windowMs);
      const isExceeded = times.length >= limit;

      if (!isExceeded) {
        times.push(clock().getTime());
      }

      return { ...stateOf(times, limit, windowMs), isExceeded };
    },
  };
}
