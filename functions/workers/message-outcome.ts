import { resolveMessage } from '#lib/features/conversations/outbound/resolve-message.ts';
import { worker } from '#lib/platform/work/worker.ts';
import { messageOutcomeWork } from '#schemas/work-payloads.ts';

export const handler = worker('messageOutcome', messageOutcomeWork, resolveMessage);
