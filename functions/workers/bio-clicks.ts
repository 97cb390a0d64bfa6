import { countLateClick } from '#lib/bio/follow-link.ts';
import { worker } from '#lib/work/worker.ts';

export const handler = worker('bioClick', countLateClick);
