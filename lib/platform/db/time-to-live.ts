import { epochSeconds } from '#lib/platform/clock.ts';
import { above, absent, allOf, below, type Condition, either, present } from './conditions.ts';

/**
 * DynamoDB deletes expired items up to hours late. Until then they must be treated as missing. The
 * functions below agree on the exact second.
 */
export function isAlive(item: Readonly<Record<string, unknown>> | undefined): boolean {
  return (
    item !== undefined &&
    (item.expiresAtSeconds === undefined || Number(item.expiresAtSeconds) > epochSeconds())
  );
}

/** True if the item exists and has not expired. */
export function exists(): Condition {
  const lasts = either(absent('expiresAtSeconds'), above('expiresAtSeconds', epochSeconds()));

  return allOf(present('pk'), lasts);
}

/** True if the item does not exist or has expired. */
export function isGone(): Condition {
  return either(absent('pk'), below('expiresAtSeconds', epochSeconds(1)));
}
