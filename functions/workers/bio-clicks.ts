import { countLateClick } from '#lib/features/bio/follow-link.ts';
import { countPersonalClick } from '#lib/features/personal-links/count-click.ts';
import { type WorkOutcome, type WorkRequest, worker } from '#lib/platform/work/worker.ts';
import { bioClickWork } from '#schemas/work-payloads.ts';

function count({ payload }: WorkRequest<'bioClick'>): Promise<WorkOutcome> {
  return 'conversationId' in payload ? countPersonalClick(payload) : countLateClick(payload);
}

export const handler = worker('bioClick', bioClickWork, count);
