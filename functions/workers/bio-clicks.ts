import { countLateClick } from '#lib/features/bio/follow-link.ts';
import { worker } from '#lib/platform/work/worker.ts';
import { bioClickWork } from '#schemas/work-payloads.ts';

export const handler = worker('bioClick', bioClickWork, countLateClick);
