import { planReply } from '#lib/features/replies/plan-reply.ts';
import { worker } from '#lib/platform/work/worker.ts';

export const handler = worker('replyPlanning', planReply);
