import type { Attribution } from '#lib/features/attribution/attribution.ts';
import {
  conversationNotFound,
  requireConversation,
} from '#lib/features/conversations/conversations.ts';
import { planContactOf } from '#lib/features/leads/contacts/contact-conversations.ts';
import type { ContactDetails } from '#lib/features/leads/contacts/contacts.ts';
import { cutToLength } from '#lib/platform/characters.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { compact } from '#lib/platform/compact.ts';
import { unchanged } from '#lib/platform/db/conditions.ts';
import { ConditionNotMetError } from '#lib/platform/db/failures.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { change, type ExtraWrites } from '#lib/platform/db/write.ts';
import { findWebhookEndpoint, type WebhookEndpoint } from '#lib/platform/webhooks/endpoints.ts';
import { maxLength } from '#schemas/common.ts';
import { type CreatedWithContact, createLeadWithContact, type NewLead } from './create-lead.ts';
import { planLeadCreatedEvent } from './lead-events.ts';
import { placeholderAddress, type Speaker } from './placeholder-address.ts';

export function contactOf(speaker: Speaker): Pick<ContactDetails, 'name' | 'email'> {
  const { id, name } = speaker.customer;

  return { name: name || cutToLength(id, maxLength.name), email: placeholderAddress(speaker) };
}

/** Creates a lead from a conversation, with a contact for its customer. @throws 404, 409 */
export async function convertConversation(
  organizationId: string,
  conversationId: string,
  details: NewLead,
  extraWrites: ExtraWrites<CreatedWithContact>,
): Promise<CreatedWithContact> {
  return retryWhenOvertaken('conversation', async () => {
    try {
      return await convert(organizationId, conversationId, details, extraWrites);
    } catch (failure) {
      throw failure instanceof CustomerNamedError
        ? new ConditionNotMetError(
            socialKeys.conversation(organizationId, conversationId),
            undefined,
          )
        : failure;
    }
  });
}

/** A separate error, because `createLeadWithContact` would retry with the name that was read. */
class CustomerNamedError extends Error {}

async function convert(
  organizationId: string,
  conversationId: string,
  details: NewLead,
  extraWrites: ExtraWrites<CreatedWithContact>,
): Promise<CreatedWithContact> {
  const conversation = await requireConversation(organizationId, conversationId);
  const { socialAccountId, campaignId, postId: contentPostId, platform: network } = conversation;
  const attribution =
    conversation.attribution ??
    (compact({ network, postId: contentPostId, campaignId }) as Attribution);

  const endpoint = campaignId
    ? await findWebhookEndpoint<WebhookEndpoint>(organizationId, campaignId)
    : undefined;

  return createLeadWithContact(
    organizationId,
    contactOf(conversation),
    { ...details, conversationId, socialAccountId, campaignId, contentPostId, attribution },
    async (made) => {
      const { lead, contact } = made;

      return [
        ...(await extraWrites(made)),
        change(socialKeys.conversation(organizationId, conversationId), {
          set: { leadId: lead.id, leadContactId: contact.id, updatedAt: timestamp() },
          when: unchanged('customer.name', conversation.customer.name),
          onConditionFailed: (stored) =>
            stored ? new CustomerNamedError() : conversationNotFound(),
        }),
        ...planContactOf(conversation, contact.id),
        ...planLeadCreatedEvent(endpoint, made),
      ];
    },
  );
}
