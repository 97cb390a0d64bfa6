import { requireConversation } from '#lib/features/conversations/conversations.ts';
import { canReply } from '#lib/features/conversations/outbound/can-reply.ts';
import { findSocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { canReplyToConversation } from '#schemas/conversations.ts';

/** A disconnected account cannot reply. */
const noAccount = { isActive: false, messaging: 'EXPIRED' } as const;

export const handler = endpoint(canReplyToConversation, async ({ organizationId, params }) => {
  const conversation = await requireConversation(organizationId, params.conversation_id);
  const account =
    (await findSocialAccount(organizationId, conversation.socialAccountId)) ?? noAccount;

  return {
    canReply: {
      agent: canReply(conversation, account, 'BOT'),
      person: canReply(conversation, account, 'HUMAN'),
    },
  };
});
