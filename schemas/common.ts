import { roles } from './contract.ts';
import * as z from './zod.ts';

/** Lengths that the interface fixes for all areas. */
export const maxLength = {
  name: 100,
  description: 1_000,
  notes: 5_000,
  url: 2_048,
  email: 254,
  token: 200,
} as const;

type TextOptions = {
  /** The Unicode form that it is kept in; as it came, if nothing is said. */
  readonly form?: 'NFC';
  readonly min?: number;
  readonly max: number;
  readonly example: string;
  readonly description?: string;
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is what is looked for.
const nul = /\u0000/;

/** False for what no store and no network keeps intact: NUL characters and lone surrogates. */
export function isWellFormedText(value: string): boolean {
  return !nul.test(value) && value.isWellFormed();
}

/** Beyond these the table refuses a number, or its client does. */
const storableNumber = { least: 1e-130, most: Number.MAX_SAFE_INTEGER } as const;

/** False for JSON of which the table would refuse a part, or not keep it intact. */
export function isStorableJson(value: unknown): boolean {
  if (typeof value === 'string') {
    return isWellFormedText(value);
  }
  if (typeof value === 'number') {
    const size = Math.abs(value);

    return size === 0 || (size >= storableNumber.least && size <= storableNumber.most);
  }
  if (typeof value !== 'object' || value === null) {
    return true;
  }

  return Object.entries(value).every(
    ([key, child]) => key !== '' && isWellFormedText(key) && isStorableJson(child),
  );
}

const wellFormed = z.refine<string>(isWellFormedText, {
  error: 'must not contain NUL characters or lone surrogates',
});

/** White space, control characters, and those that no font draws: https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point */
const nothingToSee = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]+$/u;

const visible = z.refine<string>((value) => !nothingToSee.test(value), {
  error: 'should not be empty',
});

/**
 * Schemas that many fields have in common, and checks that are added to them all at once: each call
 * that makes or changes a schema takes its time in every cold start.
 */
const anyString = z.string();
const anyId = z.uuid().toLowerCase();
const anyTimestamp = z.iso.datetime();

/** A string with a maximum length, in characters (UTF-16 code units). Every string is made here. */
export function text(options: TextOptions) {
  const string = options.form ? z.string().normalize(options.form) : anyString;

  return string.check(z.minLength(options.min ?? 0), z.maxLength(options.max), wellFormed).meta({
    example: options.example,
    ...(options.description ? { description: options.description } : {}),
  });
}

/** A text that goes out to people: no network takes one in which there is nothing to see. */
export function publicText(options: TextOptions) {
  return text({ min: 1, ...options }).check(visible);
}

/** A string in which there is something to see. It is kept without white space around it. */
export function name(options: {
  readonly min?: number;
  readonly max?: number;
  readonly example: string;
}) {
  return anyString
    .check(
      z.trim(),
      z.minLength(options.min ?? 1),
      z.maxLength(options.max ?? maxLength.name),
      wellFormed,
      visible,
    )
    .meta({ example: options.example });
}

/** An address, trimmed and lower-cased, as addresses are compared. */
export const email = anyString
  .check(z.trim(), z.toLowerCase(), z.maxLength(maxLength.email), wellFormed)
  .pipe(z.email().max(maxLength.email))
  .meta({ example: 'ada@example.com' });

/** http or https, without credentials. */
export const webUrl = anyString
  .check(z.trim(), z.maxLength(maxLength.url), wellFormed)
  .refine(isPlainWebUrl, { error: 'must be an http or https URL without credentials' })
  .meta({ example: 'https://example.com' });

/** Stricter than the parser, which reads on past line breaks, spaces and missing slashes. */
const webUrlForm = /^https?:\/\/[^\s\\]+$/i;

function isPlainWebUrl(value: string): boolean {
  if (!webUrlForm.test(value) || !URL.canParse(value)) {
    return false;
  }
  const url = new URL(value);

  return url.username === '' && url.password === '';
}

/** UUID version 7 in lower case, as every id of this service; any UUID is well-formed input. */
export function id(example = '0192f0c1-7b5a-7c3e-9d2f-3a5b8c1d4e6f') {
  return anyId.meta({ example });
}

/** ISO 8601 in UTC. */
export function timestamp(example = '2026-01-15T09:30:00.000Z') {
  return anyTimestamp.meta({ example });
}

const isoDay = z.iso.date();
const isoTime = z.iso.datetime({ offset: true });
const isoMinute = z.iso.datetime({ offset: true, precision: -1 });
const maxMomentLength = 40;

const notADate = 'must be a valid ISO 8601 date string';

function isMoment(value: string): boolean {
  return isoTime.safeParse(value).success || isoMinute.safeParse(value).success;
}

/** In UTC: a zone moves the last hours of 9999 into a year that timestamps cannot be sorted by. */
function hasFourDigitYear(value: string): boolean {
  const year = new Date(value).getUTCFullYear();

  return year >= 1 && year <= 9999;
}

const notAYear = 'must be between the years 1 and 9999';

/** A day or a moment, ISO 8601. A day means all of it, in UTC. */
export function dateOrTime(example: string) {
  return text({ max: maxMomentLength, example })
    .refine((value) => isoDay.safeParse(value).success || isMoment(value), {
      error: notADate,
      abort: true,
    })
    .refine(hasFourDigitYear, { error: notAYear });
}

/**
 * A bound of a range, as a time in UTC. A date without a time means the whole day: its start, or
 * its end.
 */
export function dayOrTime(edge: 'start' | 'end') {
  const time = edge === 'start' ? 'T00:00:00.000Z' : 'T23:59:59.999Z';

  return dateOrTime('2026-01-15')
    .transform((value) => {
      const isDay = isoDay.safeParse(value).success;

      return new Date(isDay ? `${value}${time}` : value).toISOString();
    })
    .meta({ example: '2026-01-15' });
}

/** A moment, in any zone; it is kept in UTC. */
export function momentInAnyZone(example: string, description: string) {
  return text({ max: maxMomentLength, example })
    .refine(isMoment, { error: notADate, abort: true })
    .refine(hasFourDigitYear, { error: notAYear })
    .transform((value) => new Date(value).toISOString())
    .meta({ example, description });
}

/** A name such as Europe/Berlin. An offset is none: it knows no daylight saving. */
export function isTimeZoneName(value: string): boolean {
  try {
    return /^[a-z]/i.test(
      new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone,
    );
  } catch {
    return false;
  }
}

export const role = z.enum(roles).meta({ example: 'MEMBER' });

/** In responses: a field without a value is present as null. */
export function orNull<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullable().default(null as never);
}

/** In POST bodies: may be absent, and null means absent. In PATCH bodies null clears. */
export function optional<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish();
}

/** The `message` of a success, as it is worded for one endpoint. */
export function says(example: string) {
  return anyString.meta({ example });
}

const decimal = /^-?\d{1,9}(\.\d{1,9})?$/;

/** A whole number in a query string. */
export function queryInteger(options: {
  readonly min: number;
  readonly max: number;
  readonly default: number;
}) {
  return z
    .preprocess(
      (value) => (typeof value === 'string' && decimal.test(value) ? Number(value) : value),
      z.int().min(options.min).max(options.max).default(options.default),
    )
    .meta({ example: options.default });
}

/** `true` or `false` in a query string. */
export const queryBoolean = z
  .preprocess((value) => (value === 'true' ? true : value === 'false' ? false : value), z.boolean())
  .meta({ example: true });

/** A comma-separated list in a query. */
export function commaSeparated<Item extends z.ZodType<unknown, string>>(
  item: Item,
  max: number,
  example: string,
) {
  return z
    .preprocess(
      (value) =>
        typeof value === 'string'
          ? value
              .split(',')
              .map((part) => part.trim())
              .filter((part) => part !== '')
          : value,
      z.array(item).max(max),
    )
    .meta({ example });
}

/** A day or a moment in a query string. */
export const queryDate = dateOrTime('2026-01-15');

/** The query of every paginated list. */
export const paginationQuery = {
  page: queryInteger({ min: 1, max: 1_000_000, default: 1 }).optional(),
  limit: queryInteger({ min: 1, max: 100, default: 10 }),
  cursor: text({
    min: 1,
    max: 1_000,
    example: 'MDE5MmYwYzE',
    description: 'The `nextCursor` of the page before. Not together with `page`.',
  }).optional(),
};

export const pagination = z.object({
  total: z.int().min(0).meta({ example: 1 }),
  page: z.int().min(1).meta({ example: 1 }),
  limit: z.int().min(1).max(100).meta({ example: 10 }),
  hasMore: z.boolean().meta({ example: false }),
  nextCursor: orNull(z.string().meta({ example: null })),
});

/** The body of calls that take none: an empty object, or nothing. */
export const emptyBody = z.object({});
