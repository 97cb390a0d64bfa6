import { continueImport } from '#lib/leads/import/continue-import.ts';
import { worker } from '#lib/work/worker.ts';

export const handler = worker('leadImport', continueImport);
