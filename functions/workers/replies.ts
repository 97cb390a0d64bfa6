import { sendReply } from '#lib/replies/send-reply.ts';
import { worker } from '#lib/work/worker.ts';

export const handler = worker('reply', sendReply);
