import { collectContents, eraseContents } from './contents.ts';
import {
  collectDeliveries,
  collectWaitingEvents,
  eraseDeliveries,
  eraseWaitingEvents,
} from './deliveries.ts';
import { eraseExportFiles } from './export-files.ts';
import { collectImportRows, eraseImportRows } from './import-rows.ts';
import { collectInboundEvents, eraseInboundEvents } from './inbound-events.ts';
import { collectKnowledgeGaps, eraseKnowledgeGaps } from './knowledge-gaps.ts';
import type { ErasureProgress, PersonScope } from './person-scope.ts';
import { eraseUnusedCounters } from './unused-counters.ts';

/** Removes the person's data. May be interrupted anywhere, and is then called again. */
type Eraser = (scope: PersonScope, progress: ErasureProgress) => Promise<void>;

/** Yields the same data for an export. */
type Collector = (scope: PersonScope) => AsyncIterable<object>;

/**
 * Sources, besides the records themselves, that can contain personal data, in the order in which
 * they are erased. Separate from the collectors, so that the bundles of exports contain no delete
 * calls.
 */
export const erasers = {
  contents: eraseContents,
  inboundEvents: eraseInboundEvents,
  waitingEvents: eraseWaitingEvents,
  deliveries: eraseDeliveries,
  importRows: eraseImportRows,
  knowledgeGaps: eraseKnowledgeGaps,
  exportFiles: eraseExportFiles,
  unusedCounters: eraseUnusedCounters,
} satisfies Readonly<Record<string, Eraser>>;

export type DataSource = keyof typeof erasers;

/**
 * Not exported: earlier exports contain only data from the other sources, and unused counters
 * contain no personal data.
 */
type ExportedSource = Exclude<DataSource, 'exportFiles' | 'unusedCounters'>;

export const collectors: Readonly<Record<ExportedSource, Collector>> = {
  contents: collectContents,
  inboundEvents: collectInboundEvents,
  waitingEvents: collectWaitingEvents,
  deliveries: collectDeliveries,
  importRows: collectImportRows,
  knowledgeGaps: collectKnowledgeGaps,
};
