import { presentMessage } from '#lib/features/conversations/conversation.ts';
import { actOnComment } from '#lib/features/conversations/outbound/comment-actions.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { hideComment } from '#schemas/conversations.ts';

export const handler = endpoint(hideComment, async ({ organizationId, params, idempotently }) => {
  const { conversation_id: conversationId, message_id: messageId } = params;
  const message = await idempotently((extraWrites) =>
    actOnComment(organizationId, { conversationId, messageId }, 'hide', extraWrites),
  );

  return { messageRecord: presentMessage(message) };
});
