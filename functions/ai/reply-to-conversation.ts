import { endpoint } from '#lib/http/endpoint.ts';
import { planSentByPerson } from '#lib/replies/sent-reply.ts';
import { presentMessage } from '#lib/social/conversations/conversation.ts';
import { requireConversation } from '#lib/social/conversations/conversations.ts';
import { replyAsPerson } from '#lib/social/conversations/reply-as-person.ts';
import { replyToConversation } from '#schemas/conversations.ts';

export const handler = endpoint(
  replyToConversation,
  async ({ organizationId, params, body, caller, intent }) => {
    const reply = await replyAsPerson(
      organizationId,
      params.conversation_id,
      { intent, userId: caller.userId, text: body.message },
      planSentByPerson,
    );

    return { reply: presentMessage(reply), message: 'Reply sent successfully' };
  },
  {
    ahead: ({ organizationId, params }) =>
      requireConversation(organizationId, params.conversation_id),
  },
);
