import { countLateClick } from '#lib/features/bio/follow-link.ts';
import { worker } from '#lib/platform/work/worker.ts';

export const handler = worker('bioClick', countLateClick);
