import { decideReply } from '#lib/features/replies/decide-reply.ts';
import { worker } from '#lib/platform/work/worker.ts';
import { replyPlanningWork } from '#schemas/work-payloads.ts';

export const handler = worker('replyPlanning', replyPlanningWork, decideReply);
