import { epochSeconds } from '#lib/platform/clock.ts';
import { above, absent, allOf, below, type Condition, either, present } from './conditions.ts';

/**
 * The table removes what has expired hours late: until then it must neither be seen nor stand in
 * the way. These say the same of an item, in its last second too.
 */
export function isAlive(item: Readonly<Record<string, unknown>> | undefined): boolean {
  return (
    item !== undefined &&
    (item.expiresAtSeconds === undefined || Number(item.expiresAtSeconds) > epochSeconds())
  );
}

/** There is an item, and its time is not over. */
export function exists(): Condition {
  const lasts = either(absent('expiresAtSeconds'), above('expiresAtSeconds', epochSeconds()));

  return allOf(present('pk'), lasts);
}

/** There is no item, or one whose time is over. */
export function isGone(): Condition {
  return either(absent('pk'), below('expiresAtSeconds', epochSeconds(1)));
}
