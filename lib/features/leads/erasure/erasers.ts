import { eraseContents } from './contents.ts';
import { eraseDeliveries, eraseWaitingEvents } from './deliveries.ts';
import { eraseExportFiles } from './export-files.ts';
import { eraseImportRows } from './import-rows.ts';
import { eraseInboundEvents } from './inbound-events.ts';
import type { Eraser, PlaceName } from './place.ts';

export const erasers: Readonly<Record<PlaceName, Eraser>> = {
  contents: eraseContents,
  inboundEvents: eraseInboundEvents,
  waitingEvents: eraseWaitingEvents,
  deliveries: eraseDeliveries,
  importRows: eraseImportRows,
  exportFiles: eraseExportFiles,
};
