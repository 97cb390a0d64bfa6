import { roles } from './contract.ts';
import { anyId } from './path-ids.ts';
import * as z from './zod.ts';

/** Maximum lengths from the API specification, for all areas. */
export const maxLength = {
  name: 100,
  description: 1_000,
  notes: 5_000,
  url: 2_048,
  email: 254,
  token: 200,
} as const;

type TextOptions = {
  /** Unicode normalization form for storage. Without it, the text is stored as received. */
  readonly form?: 'NFC';
  readonly min?: number;
  readonly max: number;
  readonly example: string;
  readonly description?: string;
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match NUL.
const nul = /\u0000/;

/**
 * Returns false for NUL characters and lone surrogates, because neither storage nor networks keep
 * them.
 */
export function isWellFormedText(value: string): boolean {
  return !nul.test(value) && value.isWellFormed();
}

/** DynamoDB or its client rejects numbers outside this range. */
const storableNumber = { least: 1e-130, most: Number.MAX_SAFE_INTEGER } as const;

/** Returns false for JSON that DynamoDB would reject or store incorrectly. */
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

/** Whitespace, control and invisible characters: https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point */
const invisible = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]+$/u;

const visible = z.refine<string>((value) => !invisible.test(value), {
  error: 'should not be empty',
});

/**
 * Shared schemas. All checks are added in one call, because every call that creates or changes a
 * schema makes each cold start slower.
 */
const anyString = z.string();
const anyTimestamp = z.iso.datetime();

/**
 * Normalization can combine up to three units into one. Longer texts are too long in any case, and
 * sorting their marks takes long.
 */
const mostUnits = 3;

/** Normalizes a text, unless it is too long. */
export function normalized(form: 'NFC', max: number) {
  return z.overwrite<string>((value) =>
    value.length > max * mostUnits ? value : value.normalize(form),
  );
}

/** A string with a maximum length in UTF-16 code units. Use it for input instead of `z.string()`. */
export function text(options: TextOptions) {
  const string = options.form ? anyString.check(normalized(options.form, options.max)) : anyString;

  return string.check(z.minLength(options.min ?? 0), z.maxLength(options.max), wellFormed).meta({
    example: options.example,
    ...(options.description ? { description: options.description } : {}),
  });
}

/** A text that is published. Networks reject texts without a visible character. */
export function publicText(options: TextOptions) {
  return text({ min: 1, ...options }).check(visible);
}

/** A string with at least one visible character. Surrounding whitespace is trimmed. */
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

/** The ASCII form of a top-level domain in another script begins with `xn--`. */
const emailPattern =
  /^(?:[a-z0-9_'+-]+\.)*[a-z0-9_'+-]*[a-z0-9_+-]@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/;

/** Converts an international domain to ASCII, as a browser does before it submits an email field. */
function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  // Only domains with non-ASCII characters are converted. Some ASCII characters would end the host
  // in a URL.
  const isInternational = /\P{ASCII}/u.test(domain) && !/[\0-,/:-`{-\x7F]/u.test(domain);
  const host = isInternational ? URL.parse(`http://${domain}`)?.hostname : undefined;

  return host === undefined ? address : `${address.slice(0, at)}${host}`;
}

/** An email address, trimmed, lowercased and in ASCII so that addresses compare equal. */
export const email = anyString
  .check(
    z.trim(),
    z.toLowerCase(),
    z.maxLength(maxLength.email),
    wellFormed,
    z.overwrite(withAsciiDomain),
  )
  .pipe(z.email({ pattern: emailPattern }).max(maxLength.email))
  .meta({ example: 'ada@example.com' });

/** An http or https URL without credentials. */
export const webUrl = anyString
  .check(z.trim(), z.maxLength(maxLength.url), wellFormed)
  .refine(isPlainWebUrl, { error: 'must be an http or https URL without credentials' })
  .meta({ example: 'https://example.com' });

/** Stricter than the URL parser, which accepts line breaks, spaces and missing slashes. */
const webUrlForm = /^https?:\/\/[^\s\\]+$/i;

function isPlainWebUrl(value: string): boolean {
  if (!webUrlForm.test(value) || !URL.canParse(value)) {
    return false;
  }
  const url = new URL(value);

  return url.username === '' && url.password === '';
}

/** A lowercase UUID. The service generates version 7 and accepts any version as input. */
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

/**
 * Checks the UTC time, because an offset can move a time into year 10000, which does not sort as a
 * string.
 */
function hasFourDigitYear(value: string): boolean {
  const year = new Date(value).getUTCFullYear();

  return year >= 1 && year <= 9999;
}

const notAYear = 'must be between the years 1 and 9999';

/** An ISO 8601 date or date-time. A date means the whole day in UTC. */
export function dateOrTime(example: string) {
  return text({ max: maxMomentLength, example })
    .refine((value) => isoDay.safeParse(value).success || isMoment(value), {
      error: notADate,
      abort: true,
    })
    .refine(hasFourDigitYear, { error: notAYear });
}

/**
 * A range boundary, converted to a UTC time. A date without a time becomes the start or the end of
 * that day.
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

/** A day (YYYY-MM-DD), returned as given, or a date-time, converted to UTC. */
export const localDayOrTime = dateOrTime('2026-01-15')
  .transform((value) => (isoDay.safeParse(value).success ? value : new Date(value).toISOString()))
  .meta({
    example: '2026-01-15',
    description: "A date is a day in the organization's time zone",
  });

/** A date-time with any offset, converted to UTC. */
export function momentInAnyZone(example: string, description: string) {
  return text({ max: maxMomentLength, example })
    .refine(isMoment, { error: notADate, abort: true })
    .refine(hasFourDigitYear, { error: notAYear })
    .transform((value) => new Date(value).toISOString())
    .meta({ example, description });
}

/** Accepts names such as Europe/Berlin. Rejects offsets, which ignore daylight saving time. */
export function isTimeZoneName(value: string): boolean {
  try {
    return /^[a-z]/i.test(
      new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone,
    );
  } catch {
    return false;
  }
}

/** A time zone name of the IANA database. */
export const timezone = text({ min: 1, max: 64, example: 'Europe/Berlin' }).refine(isTimeZoneName, {
  error: 'must be a valid time zone name',
});

/** A time in the format HH:MM, 24 hours. */
export function timeOfDay(example: string) {
  return text({ max: 5, example }).refine((value) => /^([01]\d|2[0-3]):[0-5]\d$/.test(value), {
    error: 'must be a time in HH:MM format',
  });
}

export const role = z.enum(roles).meta({ id: 'Role', example: 'MEMBER' });

/** For responses: a missing value becomes null. */
export function orNull<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullable().default(null as never);
}

/** For POST bodies: the field may be absent, and null means absent. In PATCH bodies, null clears. */
export function optional<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish();
}

const decimal = /^-?\d{1,9}(\.\d{1,9})?$/;

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

export const queryBoolean = z
  .preprocess((value) => (value === 'true' ? true : value === 'false' ? false : value), z.boolean())
  .meta({ example: true });

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

export const queryDate = dateOrTime('2026-01-15');

/** For fields that are accepted under two names. */
export function olderName<Schema extends z.ZodType>(schema: Schema, name: string) {
  return schema.meta({ description: `The older name of \`${name}\`` }).optional();
}

/** A range in a query. The operation reads it with `namedRange`. */
export function dateRange<From extends z.ZodType, To extends z.ZodType>(from: From, to: To) {
  return {
    from: from.optional(),
    to: to.optional(),
    dateFrom: olderName(from, 'from'),
    dateTo: olderName(to, 'to'),
  };
}

/** The page size of paginated lists without a `limit`. */
export const defaultPageLimit = 10;

const pageLimit = queryInteger({ min: 1, max: 100, default: defaultPageLimit });

export const paginationQuery = {
  page: queryInteger({ min: 1, max: 1_000_000, default: 1 }).optional(),
  limit: pageLimit,
  cursor: text({
    min: 1,
    max: 1_000,
    example: 'MDE5MmYwYzE',
    description: 'The `nextCursor` of the previous page. Cannot be combined with `page`.',
  }).optional(),
};

/** For lists that return everything unless a page is requested. */
export const optionalPaginationQuery = { ...paginationQuery, limit: pageLimit.optional() };

/** The number of elements in a list. */
export const total = z.int().min(0).meta({ example: 1 });

export const pagination = z
  .object({
    total,
    page: z.int().min(1).meta({ example: 1 }),
    limit: z.int().min(1).max(100).meta({ example: 10 }),
    hasMore: z.boolean().meta({ example: false }),
    nextCursor: orNull(z.string().meta({ example: null })),
  })
  .meta({ id: 'Pagination' });

/** For endpoints without input: an empty object or no body. */
export const emptyBody = z.object({}).meta({ id: 'EmptyBody' });
