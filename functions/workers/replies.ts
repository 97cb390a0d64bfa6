import { sendReply } from '#lib/features/replies/send-reply.ts';
import { worker } from '#lib/platform/work/worker.ts';
import { replyWork } from '#schemas/work-payloads.ts';

export const handler = worker('reply', replyWork, sendReply);
