import { planReply } from '#lib/replies/plan-reply.ts';
import { worker } from '#lib/work/worker.ts';

export const handler = worker('replyPlanning', planReply);
