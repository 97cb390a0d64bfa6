/** How a limit stands after a call was counted. */
export type RateState = {
  readonly isExceeded: boolean;
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** When the oldest call that counts stops counting. */
  readonly resetAt: Date;
};

export type RateBook = {
  /** Counts a call; one above the limit is refused and does not count. */
  readonly take: (key: string, limit: number, windowMs: number) => RateState;
  /** How the limit stands, without counting. */
  readonly look: (key: string, limit: number, windowMs: number) => RateState;
};

/** Counts calls in windows that slide on the sandbox's clock. */
export function createRateBook(clock: () => Date): RateBook {
  const calls = new Map<string, readonly number[]>();
  const look = (key: string, limit: number, windowMs: number): RateState => {
    const at = clock().getTime();
    const recent = (calls.get(key) ?? []).filter((time) => time > at - windowMs);
    calls.set(key, recent);

    return {
      isExceeded: recent.length >= limit,
      limit,
      used: recent.length,
      remaining: Math.max(0, limit - recent.length),
      resetAt: new Date((recent[0] ?? at) + windowMs),
    };
  };

  return {
    look,
    take: (key, limit, windowMs) => {
      const before = look(key, limit, windowMs);

      if (before.isExceeded) {
        return before;
      }

      calls.set(key, [...(calls.get(key) ?? []), clock().getTime()]);

      return { ...look(key, limit, windowMs), isExceeded: false };
    },
  };
}
