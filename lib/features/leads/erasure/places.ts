import { contents } from './contents-place.ts';
import { deliveries, waitingEvents } from './deliveries-place.ts';
import { exportFiles } from './export-files-place.ts';
import { importRows } from './import-rows-place.ts';
import { inboundEvents } from './inbound-events-place.ts';
import type { Place } from './place.ts';

/**
 * All places that hold a person's words, in addition to the records themselves, in the order in which
 * they are cleared. A new kind of item that holds such words needs an entry here. It is then erased
 * and exported.
 */
export const places: readonly Place[] = [
  contents,
  inboundEvents,
  waitingEvents,
  deliveries,
  importRows,
  exportFiles,
];
