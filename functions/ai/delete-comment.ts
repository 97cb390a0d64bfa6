import { presentMessage } from '#lib/features/conversations/conversation.ts';
import { actOnComment } from '#lib/features/conversations/outbound/comment-actions.ts';
import { noExtraWrites } from '#lib/platform/db/write.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { deleteComment } from '#schemas/conversations.ts';

export const handler = endpoint(deleteComment, async ({ organizationId, params }) => {
  const { conversation_id: conversationId, message_id: messageId } = params;
  const place = { conversationId, messageId };
  const message = await actOnComment(organizationId, place, 'delete', noExtraWrites);

  return { messageRecord: presentMessage(message) };
});
