import { settleLostMessage } from '#lib/social/conversations/sent-messages.ts';
import { worker } from '#lib/work/worker.ts';

export const handler = worker('messageOutcome', settleLostMessage);
