import { presentWithLinks } from '#lib/features/conversations/messages/attachment-links.ts';
import { replyAsPerson } from '#lib/features/conversations/outbound/reply-as-person.ts';
import { planSentByPerson } from '#lib/features/replies/record-outcome.ts';
import { replyProblems, textOfReply } from '#lib/features/replies/text-of-reply.ts';
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
  { rules: ({ body }) => replyProblems(body) },
);
