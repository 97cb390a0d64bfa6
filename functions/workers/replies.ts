import { sendReply } from '#lib/features/replies/send-reply.ts';
import { worker } from '#lib/platform/work/worker.ts';

export const handler = worker('reply', sendReply);
