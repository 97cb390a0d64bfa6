import { resolveLostMessage } from '#lib/features/social/conversations/message-outcome.ts';
import { worker } from '#lib/platform/work/worker.ts';
import { messageOutcomeWork } from '#schemas/work-payloads.ts';

export const handler = worker('messageOutcome', messageOutcomeWork, resolveLostMessage);
