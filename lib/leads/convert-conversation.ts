import { timestamp } from '#lib/clock.ts';
import { keys } from '#lib/db/keys.ts';
import { change } from '#lib/db/write.ts';
import type { Conversation } from '#lib/social/conversations/conversation.ts';
import {
  conversationNotFound,
  requireConversation,
} from '#lib/social/conversations/conversations.ts';
import { findWebhookEndpoint, type WebhookEndpoint } from '#lib/webhooks/endpoints.ts';
import { noEvent, type PlannedEvent } from '#lib/webhooks/events.ts';
import { leadCreated } from './lead-events.ts';
import { createLeadWithContact, type NewLead } from './leads.ts';

/** Networks do not tell addresses: such a contact has one that stands for the person there. */
export function standInAddress({
  platform,
  customer,
}: Pick<Conversation, 'platform' | 'customer'>): string {
  const local = encodeURIComponent(customer.id).replaceAll('%', '_').slice(0, 64).toLowerCase();

  return `${local}@${platform.toLowerCase()}.invalid`;
}

/** Makes a lead of a conversation, with a contact for the customer in it. @throws 404, 409 */
export async function convertConversation(
  organizationId: string,
  conversationId: string,
  details: NewLead,
) {
  const conversation = await requireConversation(organizationId, conversationId);
  const {
    accountId: socialAccountId,
    matchedCampaignId: campaignId,
    postId: contentPostId,
    customer,
  } = conversation;

  const endpoint = campaignId
    ? await findWebhookEndpoint<WebhookEndpoint>(organizationId, campaignId)
    : undefined;
  let told: PlannedEvent = noEvent;
  const created = await createLeadWithContact(
    organizationId,
    { name: customer.name || customer.id, email: standInAddress(conversation) },
    { ...details, conversationId, socialAccountId, campaignId, contentPostId },
    ({ lead, contact }) => {
      told = leadCreated(endpoint, { lead, contact });

      return [
        change(keys.conversation(organizationId, conversationId), {
          set: { leadId: lead.id, updatedAt: timestamp() },
          refused: conversationNotFound,
        }),
        ...told.writes,
      ];
    },
  );
  await told.dispatch();

  return created;
}
