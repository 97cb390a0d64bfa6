import { planSentByPerson } from '#lib/features/replies/record-outcome.ts';
import { textOfReply } from '#lib/features/replies/text-of-reply.ts';
import { presentWithLinks } from '#lib/features/social/conversations/attachments.ts';
import { requireConversation } from '#lib/features/social/conversations/conversations.ts';
import { replyAsPerson } from '#lib/features/social/conversations/reply-as-person.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { replyToConversation } from '#schemas/conversations.ts';

export const handler = endpoint(
  replyToConversation,
  async ({ organizationId, params, body, caller, intent }) => {
    const reply = await replyAsPerson(
      organizationId,
      params.conversation_id,
      {
        intent,
        userId: caller.userId,
        textFor: textOfReply(body),
        mediaIds: body.mediaIds ?? [],
      },
      planSentByPerson,
    );

    return { reply: await presentWithLinks(organizationId, reply) };
  },
  {
    ahead: ({ organizationId, params }) =>
      requireConversation(organizationId, params.conversation_id),
  },
);
