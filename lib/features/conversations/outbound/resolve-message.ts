import type { WorkOutcome, WorkRequest } from '#lib/platform/work/worker.ts';
import { repeatAction } from './comment-actions.ts';
import { recordMessageLost } from './message-outcome.ts';

/** Resolves a message whose sending was interrupted, or an action on a comment. */
export async function resolveMessage({
  payload,
}: WorkRequest<'messageOutcome'>): Promise<WorkOutcome> {
  const { organizationId, conversationId, messageId, action } = payload;
  if (action) {
    return repeatAction({ ...payload, action });
  }
  await recordMessageLost(organizationId, { conversationId, id: messageId });

  return 'done';
}
