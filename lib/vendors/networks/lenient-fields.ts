import { logAlarmingError } from '#lib/platform/metrics/embedded-metrics.ts';
import type { Platform } from '#schemas/platforms.ts';
import * as z from '#schemas/zod.ts';

/** The latest time that a Date can represent. */
const lastMs = 8.64e15;

/** Milliseconds since the epoch, within the range of a Date. */
export const epochMs = z.number().min(0).max(lastMs);

export const timestampText = z.string().refine((text) => !Number.isNaN(Date.parse(text)));

/** Text that networks may also send as a number. */
export const anyText = z.union([z.string(), z.number()]).transform(String);

/** Ids are parts of keys, which have at most 1,024 bytes. */
const maxIdLength = 300;

export const networkId = anyText.refine(
  (id) => id !== '' && id.length <= maxIdLength && id.isWellFormed(),
);

/** A field that may be absent or null. */
export function orAbsent<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value) => value ?? undefined);
}

/**
 * An optional field of an event. Invalid values count as absent, because networks change the format
 * of fields without notice.
 */
export function optional<T extends z.ZodType>(schema: T) {
  return orAbsent(schema).catch(undefined);
}

export const optionalId = optional(networkId);
export const optionalText = optional(anyText);
export const textOrEmpty = optionalText.transform((text) => text ?? '');
/** A number that networks may also send as text. */
export const anyNumber = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d{1,20}$/)
    .transform(Number),
]);
export const optionalNumber = optional(anyNumber);
/** A time in seconds or milliseconds. */
export const optionalMoment = optional(anyNumber.pipe(epochMs));

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
