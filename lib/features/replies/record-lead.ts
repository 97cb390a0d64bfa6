import type { Campaign } from '#lib/features/campaigns/campaign.ts';
import { findPost } from '#lib/features/content/posts/post.ts';
import { findPostIdByPlatformId } from '#lib/features/content/posts/published-claim.ts';
import type { Conversation, Message } from '#lib/features/conversations/conversation.ts';
import {
  planConversationChange,
  requireConversation,
} from '#lib/features/conversations/conversations.ts';
import { findContactByEmail } from '#lib/features/leads/contacts/contacts.ts';
import { contactOf } from '#lib/features/leads/convert-conversation.ts';
import { createLeadWithContact } from '#lib/features/leads/create-lead.ts';
import { planLeadCreatedEvent } from '#lib/features/leads/lead-events.ts';
import { placeholderAddress } from '#lib/features/leads/placeholder-address.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { ConditionNotMetError } from '#lib/platform/db/failures.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { leadKeys } from '#lib/platform/db/keys/leads.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { get } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { ensure, type Write, write } from '#lib/platform/db/write.ts';
import { ApiError } from '#lib/platform/errors/failures.ts';
import { findWebhookEndpoint, type WebhookEndpoint } from '#lib/platform/webhooks/endpoints.ts';

export type MatchedLead = {
  readonly conversation: Conversation;
  readonly isNew: boolean;
  readonly lead?: Key;
};

/** A campaign, and its keyword that matched. */
export type KeywordMatch = { readonly campaign: Campaign; readonly keyword: string };

const source = 'social_media';

class ConversationChangedError extends Error {}

/**
 * Finds or creates the lead of a conversation in which a campaign's keyword matched. An existing
 * lead of the customer in the campaign's pipeline is reused. A deleted lead is created again. The
 * conversation then belongs to the campaign. Does nothing if a message changed in the meantime.
 */
export function recordLead(
  { organizationId, id, leadId: knownLeadId, messageChanges }: Conversation,
  message: Message,
  { campaign, keyword }: KeywordMatch,
): Promise<MatchedLead> {
  return retryWhenOvertaken('conversation', async () => {
    const [before, lead] = await Promise.all([
      requireConversation(organizationId, id),
      knownLeadId ? get(leadKeys.lead(organizationId, knownLeadId)) : undefined,
    ]);
    if (before.messageChanges !== messageChanges) {
      return { conversation: before, isNew: false };
    }
    if (lead && before.leadId === knownLeadId && before.campaignId === campaign.id) {
      return { conversation: before, isNew: before.leadMadeBy === message.id, lead };
    }
    const [known, endpoint, postId] = await Promise.all([
      findKnownLead(before, campaign.pipelineId),
      findWebhookEndpoint<WebhookEndpoint>(organizationId, campaign.id),
      findPostId(before, message),
    ]);
    const { postId: _former, ...others } = before;
    const attribution = { network: before.platform, campaignId: campaign.id, keyword };
    const found = {
      ...others,
      ...(postId ? { postId } : {}),
      attribution: { ...attribution, ...(postId ? { postId } : {}) },
      keywordMatchedAt: timestamp(),
    };

    return known
      ? attachLead(before, found, { message, campaign, ...known })
      : makeLead(before, { ...found, leadMadeBy: message.id }, campaign, endpoint);
  });
}

type KnownLead = { readonly leadId: string; readonly contactId: string };

async function findKnownLead(
  conversation: Conversation,
  pipelineId: string,
): Promise<KnownLead | undefined> {
  const { organizationId } = conversation;
  const contact = await findContactByEmail(organizationId, placeholderAddress(conversation));
  const claim =
    contact &&
    (await get<{ leadId: string }>(leadKeys.leadClaim(organizationId, contact.id, pipelineId)));

  return claim && { leadId: claim.leadId, contactId: contact.id };
}

/** Returns our post that the customer commented on, if any. */
async function findPostId(
  { organizationId, socialAccountId }: Conversation,
  { platformPostId }: Message,
): Promise<string | undefined> {
  return platformPostId === undefined
    ? undefined
    : findPostIdByPlatformId(organizationId, socialAccountId, platformPostId);
}

type Attachment = KnownLead & {
  readonly message: Message;
  readonly campaign: Campaign;
};

async function attachLead(
  before: Conversation,
  found: Conversation,
  { message, campaign, leadId, contactId }: Attachment,
): Promise<MatchedLead> {
  if (before.leadId === leadId && before.campaignId === campaign.id) {
    return { conversation: before, isNew: before.leadMadeBy === message.id };
  }
  const conversation = { ...found, campaignId: campaign.id, leadId, leadContactId: contactId };
  await write(
    ...planConversationChange(before, conversation),
    // A merge that moves the lead to another contact moves its conversations afterwards.
    ensure(leadKeys.lead(before.organizationId, leadId), { when: equals('contactId', contactId) }),
  );

  return { conversation, isNew: false };
}

async function makeLead(
  before: Conversation,
  found: Conversation,
  campaign: Campaign,
  endpoint: WebhookEndpoint | undefined,
): Promise<MatchedLead> {
  const { organizationId, id: conversationId, socialAccountId } = found;
  const { id: campaignId, pipelineId } = campaign;
  let conversation = found;
  const links = { conversationId, campaignId, socialAccountId, contentPostId: found.postId };
  const { attribution } = found;
  const details = { pipelineId, source, ...(await utmOf(campaign, found)), ...links, attribution };
  try {
    await createLeadWithContact(organizationId, contactOf(found), details, async (made) => {
      const { lead, contact } = made;
      conversation = {
        ...found,
        campaignId,
        leadId: lead.id,
        leadContactId: contact.id,
      };

      return [...planAttachment(before, conversation), ...planLeadCreatedEvent(endpoint, made)];
    });
  } catch (failure) {
    throw overtakenBy(failure, found) ?? failure;
  }

  return { conversation, isNew: true };
}

type Utm = Readonly<Record<'utmSource' | 'utmMedium' | 'utmCampaign', string | undefined>>;

/** Returns the campaign's UTM parameters, or the post's if the campaign has none. */
async function utmOf(campaign: Campaign, { organizationId, postId }: Conversation): Promise<Utm> {
  const { utmSource, utmMedium, utmCampaign } = campaign;
  const own = { utmSource, utmMedium, utmCampaign };
  const hasOwn = Object.values(own).some((value) => value !== undefined);
  const post = hasOwn || !postId ? undefined : await findPost(organizationId, postId);

  return post
    ? { utmSource: post.utmSource, utmMedium: post.utmMedium, utmCampaign: post.utmCampaign }
    : own;
}

/**
 * Uses a separate error, because `createLeadWithContact` would retry with an outdated conversation.
 */
function planAttachment(before: Conversation, after: Conversation): readonly Write[] {
  return planConversationChange(before, after).map((planned) => ({
    ...planned,
    onConditionFailed: () => new ConversationChangedError(),
  }));
}

/** Converts a concurrent change of the conversation or its lead into a retry. */
function overtakenBy(failure: unknown, { organizationId, id }: Conversation): Error | undefined {
  const isOvertaken =
    failure instanceof ConversationChangedError ||
    (failure instanceof ApiError && failure.kind === 'conflict');

  return isOvertaken
    ? new ConditionNotMetError(socialKeys.conversation(organizationId, id), undefined)
    : undefined;
}
