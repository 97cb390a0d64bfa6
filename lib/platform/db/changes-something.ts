import { isDeepStrictEqual } from 'node:util';
import { definedFields } from '#lib/platform/compact.ts';
import { type Condition, either, present } from './conditions.ts';
import type { Attributes } from './write.ts';

/**
 * True if `set` would change the item. No-op updates, such as repeated requests, are not written
 * and cause no events.
 */
export function changesSomething(item: object, set: Attributes): boolean {
  const known = new Map<string, unknown>(Object.entries(item));

  return Object.entries(set).some(
    ([name, value]) => value !== undefined && !isDeepStrictEqual(known.get(name) ?? null, value),
  );
}

/** The same as a write condition, for items that have not been read. */
export function isNotYet(set: Attributes): Condition {
  const given = Object.entries(definedFields(set));

  return either(
    ...given.map(([name, value]) =>
      value === null
        ? present(name)
        : (((e) => `NOT ${e.name(name)} = ${e.value(value)}`) satisfies Condition),
    ),
  );
}

/**
 * Returns the attributes in which `after` differs from `before`. Attributes that `after` lacks are
 * null.
 */
export function changedFields<Item extends object>(before: Item, after: Item): Attributes {
  const fields = Object.keys({ ...before, ...after }) as Array<keyof Item>;

  return Object.fromEntries(
    fields
      .filter((field) => before[field] !== after[field])
      .map((field) => [field, after[field] ?? null]),
  );
}
