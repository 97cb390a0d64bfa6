import * as z from '#schemas/zod.ts';
import { epochMs } from './timestamps.ts';

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
