import { newId } from '#lib/platform/ids.ts';

/** Returns the intent of a request without an `Idempotency-Key`. */
export function newIntent() {
  return { id: newId(), isRepeated: false };
}
