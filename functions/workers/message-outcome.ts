import { settleLostMessage } from '#lib/features/social/conversations/sent-messages.ts';
import { worker } from '#lib/platform/work/worker.ts';

export const handler = worker('messageOutcome', settleLostMessage);
