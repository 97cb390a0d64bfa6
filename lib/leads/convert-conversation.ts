import { keys } from '#lib/db/keys.ts';
import { get } from '#lib/db/read.ts';
import { notFound } from '#lib/errors/failures.ts';
import { createLeadWithContact, type NewLead } from './leads.ts';

type Conversation = {
  readonly id: string;
  readonly socialAccountId: string;
  readonly platform: string;
  readonly campaignId?: string;
  readonly contentPostId?: string;
  readonly customer: { readonly id: string; readonly name: string };
};

/** Networks do not tell addresses: such a contact has one that stands for the person there. */
function standInAddress({ platform, customer }: Conversation): string {
  const local = encodeURIComponent(customer.id).replaceAll('%', '_').slice(0, 64).toLowerCase();

  return `${local}@${platform.toLowerCase()}.invalid`;
}

/** Makes a lead of a conversation, with a contact for the customer in it. @throws 404 */
export async function convertConversation(
  organizationId: string,
  conversationId: string,
  details: NewLead,
) {
  const conversation = await get<Conversation>(keys.conversation(organizationId, conversationId));
  if (!conversation) {
    throw notFound('Conversation');
  }
  const { socialAccountId, campaignId, contentPostId, customer } = conversation;

  return createLeadWithContact(
    organizationId,
    { name: customer.name, email: standInAddress(conversation) },
    { ...details, conversationId, socialAccountId, campaignId, contentPostId },
  );
}
