import { findConversation } from '#lib/features/conversations/conversations.ts';
import { findConversationOf } from '#lib/features/conversations/messages/messages.ts';
import { planResponderCounts, responderOf } from '#lib/features/conversations/responder-counts.ts';
import type { Lead } from '#lib/features/leads/lead.ts';
import type { Write } from '#lib/platform/db/write.ts';

/**
 * Returns the changed lead. Its conversion is attributed to the agents and templates that replied
 * in its conversation, and in the private conversation that continues a comment. A lead that is not
 * converted has no attribution.
 */
export async function withConvertedBy(before: Lead, after: Lead): Promise<Lead> {
  const [was, is] = [before.status === 'CONVERTED', after.status === 'CONVERTED'];
  if (was === is) {
    return after;
  }
  const { convertedBy: _, convertedInPrivateBy: __, ...rest } = after;

  return is ? { ...rest, ...(await findResponders(after)) } : rest;
}

async function findResponders({
  organizationId,
  id,
  conversationId,
}: Lead): Promise<Pick<Lead, 'convertedBy' | 'convertedInPrivateBy'>> {
  const conversation = conversationId
    ? await findConversation(organizationId, conversationId)
    : undefined;
  if (!conversation) {
    return {};
  }
  const { channel, socialAccountId, customer } = conversation;
  const inPrivate =
    channel === 'COMMENT'
      ? await findConversationOf(organizationId, socialAccountId, 'DIRECT_MESSAGE', customer.id)
      : undefined;

  const convertedBy = responderOf(conversation);
  const convertedInPrivateBy = inPrivate?.leadId === id ? responderOf(inPrivate) : undefined;

  return {
    ...(convertedBy ? { convertedBy } : {}),
    ...(convertedInPrivateBy ? { convertedInPrivateBy } : {}),
  };
}

/** Updates the conversion counts of agents and templates when a lead's attribution changes. */
export function planConversionCount(before: Lead, after: Lead | undefined): readonly Write[] {
  const { organizationId, convertedBy, convertedInPrivateBy } = before;
  if (convertedBy === after?.convertedBy && convertedInPrivateBy === after?.convertedInPrivateBy) {
    return [];
  }
  const lost = { conversions: -1 };
  const won = { conversions: 1 };

  return planResponderCounts(
    organizationId,
    { by: convertedBy, amounts: lost },
    { by: convertedInPrivateBy, amounts: lost },
    { by: after?.convertedBy, amounts: won },
    { by: after?.convertedInPrivateBy, amounts: won },
  );
}
