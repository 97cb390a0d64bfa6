import { readSource } from '#lib/features/knowledge/reading/read-source.ts';
import { worker } from '#lib/platform/work/worker.ts';
import { knowledgeReadingWork } from '#schemas/work-payloads.ts';

export const handler = worker('knowledgeReading', knowledgeReadingWork, readSource);
