import { continueImport } from '#lib/features/leads/import/continue-import.ts';
import { worker } from '#lib/platform/work/worker.ts';
import { leadImportWork } from '#schemas/work-payloads.ts';

export const handler = worker('leadImport', leadImportWork, continueImport);
