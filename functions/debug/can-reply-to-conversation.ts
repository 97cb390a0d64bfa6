import { findSocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { canReply } from '#lib/features/social/conversations/can-reply.ts';
import { requireConversation } from '#lib/features/social/conversations/conversations.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { canReplyToConversation } from '#schemas/conversations.ts';

/** A disconnected account cannot reply. */
const noAccount = { isActive: false, messaging: 'EXPIRED' } as const;

export const handler = endpoint(
  canReplyToConversation,
  async ({ organizationId, params }) => {
    const conversation = await requireConversation(organizationId, params.conversation_id);
    const account = (await findSocialAccount(organizationId, conversation.accountId)) ?? noAccount;

    return {
      canReply: {
        agent: canReply(conversation, account, 'BOT'),
        person: canReply(conversation, account, 'HUMAN'),
      },
    };
  },
  {
    ahead: ({ organizationId, params }) =>
      requireConversation(organizationId, params.conversation_id),
  },
);
