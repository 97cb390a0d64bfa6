import { actOnComment } from '#lib/features/social/conversations/comment-actions.ts';
import { presentMessage } from '#lib/features/social/conversations/conversation.ts';
import { nothingElse } from '#lib/platform/db/write.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { deleteComment } from '#schemas/conversations.ts';

export const handler = endpoint(deleteComment, async ({ organizationId, params }) => {
  const { conversation_id: conversationId, message_id: messageId } = params;
  const place = { conversationId, messageId };
  const message = await actOnComment(organizationId, place, 'delete', nothingElse);

  return { messageRecord: presentMessage(message) };
});
