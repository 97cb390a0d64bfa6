import { logAlarmingError } from '#lib/platform/metrics/embedded-metrics.ts';
import type { Platform } from '#schemas/platforms.ts';
import * as z from '#schemas/zod.ts';
import { orAbsent } from './lenient-fields.ts';

const maxIssues = 5;

/**
 * Counts and logs a part of a response or delivery that could not be parsed, without its content.
 */
export function reportUnreadable(platform: Platform, where: readonly string[]): void {
  logAlarmingError('UnreadableEvent', 'A network sent something that could not be read', {
    platform,
    where: where.slice(0, maxIssues),
  });
}

/**
 * Parses a part of a response or delivery. If it is invalid, reports it and returns `undefined`.
 */
export function readPart<T>(
  platform: Platform,
  schema: z.ZodType<T>,
  part: unknown,
): T | undefined {
  const parsed = schema.safeParse(part);
  if (!parsed.success) {
    reportUnreadable(
      platform,
      parsed.error.issues.map(({ path, code }) => `${path.join('.') || 'whole'}: ${code}`),
    );
  }

  return parsed.data;
}

/** Returns a list without its invalid items. Each invalid item is reported. */
export function readableItems<T>(platform: Platform, item: z.ZodType<T>) {
  return z.array(z.unknown()).transform((items): readonly T[] =>
    items.flatMap((one) => {
      const read = readPart(platform, item, one);

      return read === undefined ? [] : [read];
    }),
  );
}

/** The same for a list that may be absent. */
export function readableList<T>(platform: Platform, item: z.ZodType<T>) {
  return orAbsent(readableItems(platform, item)).transform((items): readonly T[] => items ?? []);
}
