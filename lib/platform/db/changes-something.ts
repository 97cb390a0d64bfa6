import { isDeepStrictEqual } from 'node:util';
import { type Condition, either, present } from './conditions.ts';
import type { Attributes } from './write.ts';

/**
 * Whether an item that was read is not yet as it is to be: what changes nothing is not written, and
 * nobody is told of it, as when a request is sent again.
 */
export function changesSomething(item: object, set: Attributes): boolean {
  const known = new Map<string, unknown>(Object.entries(item));

  return Object.entries(set).some(
    ([name, value]) => value !== undefined && !isDeepStrictEqual(known.get(name) ?? null, value),
  );
}

/** The same of an item that was not read, as the condition of the change. */
export function isNotYet(set: Attributes): Condition {
  const given = Object.entries(set).filter(([, value]) => value !== undefined);

  return either(
    ...given.map(([name, value]) =>
      value === null
        ? present(name)
        : (((e) => `NOT ${e.name(name)} = ${e.value(value)}`) satisfies Condition),
    ),
  );
}
