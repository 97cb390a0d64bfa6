import { inject } from 'vitest';
import type { Stack } from '#scripts/dev/stack/stack.ts';

/** The running stack that all end-to-end tests share: where its parts answer. */
export function useStack(): Stack['addresses'] {
  return inject('stack').addresses;
}
