import { hourMs, minuteMs } from '#lib/platform/clock.ts';

/** Aggregation periods of stored metrics. Each is written separately. */
export const levels = ['1m', '5m', '1h'] as const;
export type Level = (typeof levels)[number];

export const levelMs = {
  '1m': minuteMs,
  '5m': 5 * minuteMs,
  '1h': hourMs,
} as const satisfies Record<Level, number>;
