import { collectContents } from './contents.ts';
import { collectDeliveries, collectWaitingEvents } from './deliveries.ts';
import { collectExportFiles } from './export-files.ts';
import { collectImportRows } from './import-rows.ts';
import { collectInboundEvents } from './inbound-events.ts';
import type { Collector, PlaceName } from './place.ts';

export const collectors: Readonly<Record<PlaceName, Collector>> = {
  contents: collectContents,
  inboundEvents: collectInboundEvents,
  waitingEvents: collectWaitingEvents,
  deliveries: collectDeliveries,
  importRows: collectImportRows,
  exportFiles: collectExportFiles,
};
