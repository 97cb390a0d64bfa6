import { inject } from 'vitest';
import type { Stack } from '#scripts/dev/stack/stack.ts';

/** Returns the addresses of the running stack that all end-to-end tests share. */
export function useStack(): Stack['addresses'] {
  return inject('stack').addresses;
}
