import { actOnComment } from '#lib/features/social/conversations/comment-actions.ts';
import { presentMessage } from '#lib/features/social/conversations/conversation.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { likeComment } from '#schemas/conversations.ts';

export const handler = endpoint(likeComment, async ({ organizationId, params, once }) => {
  const { conversation_id: conversationId, message_id: messageId } = params;
  const message = await once((alongside) =>
    actOnComment(organizationId, { conversationId, messageId }, 'like', alongside),
  );

  return { messageRecord: presentMessage(message) };
});
