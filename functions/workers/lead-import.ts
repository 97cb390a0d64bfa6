import { continueImport } from '#lib/features/leads/import/continue-import.ts';
import { worker } from '#lib/platform/work/worker.ts';

export const handler = worker('leadImport', continueImport);
