import { isDeepStrictEqual } from 'node:util';
import { rejectProblems } from '#lib/platform/errors/failures.ts';
import type { AppliesTo } from '#schemas/custom-fields.ts';
import * as z from '#schemas/zod.ts';
import { type CustomField, listFields } from './custom-field.ts';

type CustomValue = string | number | boolean;

/** Values by field id, so that a new field with the same key does not show old values. */
export type CustomValues = Readonly<Record<string, CustomValue>>;

/** Values by key, as in requests. Null clears one. */
export type GivenValues = Readonly<Record<string, CustomValue | null>>;

/** Returns the organization's fields. Reads them only if there are values to read or write. */
export async function fieldsFor(
  organizationId: string,
  values: ReadonlyArray<CustomValues | GivenValues | null | undefined>,
): Promise<readonly CustomField[]> {
  const isAny = values.some((some) => some && Object.keys(some).length > 0);

  return isAny ? listFields(organizationId) : [];
}

/** Returns the values by key, in the API's format. */
export function presentValues(
  fields: readonly CustomField[],
  appliesTo: AppliesTo,
  values: CustomValues = {},
): Readonly<Record<string, CustomValue>> {
  return Object.fromEntries(
    fields.flatMap(({ id, key, appliesTo: kind }) => {
      const value = values[id];

      return kind === appliesTo && value !== undefined ? [[key, value]] : [];
    }),
  );
}

/**
 * Merges given values into stored ones. Returns the stored values if nothing changes, and undefined
 * if none are left.
 *
 * @throws 400 with `customFields.<key>`, after `path`, for an unknown key or a value of another
 * type.
 */
export function mergedValues(
  fields: readonly CustomField[],
  appliesTo: AppliesTo,
  given: GivenValues | null | undefined,
  {
    stored,
    path = '',
  }: { readonly stored?: CustomValues | undefined; readonly path?: string } = {},
): CustomValues | undefined {
  rejectProblems(valueProblems(fields, appliesTo, given, path));
  const merged: Record<string, CustomValue> = { ...stored };
  for (const { id, key } of fields) {
    const value = given && Object.hasOwn(given, key) ? given[key] : undefined;
    if (value === null) {
      delete merged[id];
    } else if (value !== undefined) {
      merged[id] = value;
    }
  }
  if (isDeepStrictEqual(merged, stored ?? {})) {
    return stored;
  }

  return Object.keys(merged).length > 0 ? merged : undefined;
}

/**
 * Returns the problems of the given values. Each starts with `customFields.<key>`, after `path`.
 */
export function valueProblems(
  fields: readonly CustomField[],
  appliesTo: AppliesTo,
  given: GivenValues | null | undefined,
  path = '',
): readonly string[] {
  const byKey = new Map(fields.map((field) => [field.key, field]));

  return Object.entries(given ?? {}).flatMap(([key, value]) => {
    const field = byKey.get(key);
    const name = `${path}customFields.${key}`;
    if (field?.appliesTo !== appliesTo) {
      return [`${name} is not a custom field of ${appliesTo.toLowerCase()}s`];
    }
    const problem = value === null ? undefined : problemOf(field, value);

    return problem ? [`${name} ${problem}`] : [];
  });
}

const date = z.iso.date();

function problemOf({ type, options }: CustomField, value: CustomValue): string | undefined {
  switch (type) {
    case 'TEXT':
      return typeof value === 'string' ? undefined : 'must be a string';
    case 'NUMBER':
      return typeof value === 'number' ? undefined : 'must be a number';
    case 'BOOLEAN':
      return typeof value === 'boolean' ? undefined : 'must be a boolean';
    case 'DATE':
      return date.safeParse(value).success ? undefined : 'must be a date such as 2026-01-15';
    case 'SELECT':
      return options.includes(String(value)) && typeof value === 'string'
        ? undefined
        : `must be one of: ${options.join(', ')}`;
  }
}

/** Returns the text of a CSV cell as a value of the field's type, or as text if it is not valid. */
export function valueOfCell({ type }: CustomField, cell: string): CustomValue {
  const text = cell.trim();
  if (type === 'NUMBER' && /^-?\d{1,15}(\.\d{1,9})?$/.test(text)) {
    return Number(text);
  }
  if (type === 'BOOLEAN' && /^(true|false)$/i.test(text)) {
    return text.toLowerCase() === 'true';
  }

  return type === 'TEXT' ? cell : text;
}
