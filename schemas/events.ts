import { campaign } from './campaigns.ts';
import { id, orNull, timestamp } from './common.ts';
import { contentPost } from './content.ts';
import { handoverReasons, unansweredReasons } from './conversation-reasons.ts';
import { conversation, lastMessage } from './conversations.ts';
import type { EventType } from './event-types.ts';
import { contact, leadContact, leadRecord } from './leads.ts';
import { organizationWebhook } from './organization-webhooks.ts';
import { member } from './organizations.ts';
import { channel, platform } from './platforms.ts';
import { account } from './social.ts';
import * as z from './zod.ts';

export type EventDefinition = {
  /** The receivers besides the organization's webhooks, which receive all events. */
  readonly from?: ReadonlyArray<'campaign' | 'account'>;
  readonly summary: string;
  readonly data: z.ZodType;
};

const organizationId = id('0192f0c1-7b5b-7a11-8c44-5d6e7f809a1b');
const campaignId = id('0192f0c6-5e6f-7798-a9ba-7f8091a2b3c4');
const conversationId = id('0192f0c3-2b3c-7182-9394-0f1a2b3c4d5e');
const messageId = id('0192f0c3-2b40-75c6-97d8-4d5e6f708192');
const socialAccountId = id('0192f0c3-2b3e-73a4-95b6-2b3c4d5e6f70');
const leadId = id('0192f0c2-1a2b-7c3d-8e4f-5a6b7c8d9e0f');
const contactId = id('0192f0c2-1a2c-7d4e-9f50-6b7c8d9e0f1a');
const userId = id('0192f0c1-7b5a-7c3e-9d2f-3a5b8c1d4e6f');
const webhookId = id('0192f0c4-3c4f-77a8-b9ca-6f708192a3b4');
const postId = id('0192f0c3-2b3f-74b5-86c7-3c4d5e6f7081');

/** The organization's webhooks always get the id, and their `campaignId` may be null. */
const ofOrganization = { organizationId: z.exactOptional(organizationId) };
const ofCampaign = { ...ofOrganization, campaignId: orNull(campaignId) };
const ofAccount = { ...ofOrganization, socialAccountId, platform };
const own = { organizationId };

const customer = z
  .object({
    id: z.string().meta({ example: '17841400000000001' }),
    name: z.string().meta({ example: 'Charles Babbage' }),
  })
  .meta({ id: 'EventCustomer' });
const text = z.string().meta({ example: 'What does an engine cost?' });
const author = z.enum(['BOT', 'HUMAN']).meta({ example: 'BOT' });
const credits = z.int().meta({ example: 12, description: 'Remaining credits' });

const aboutLead = z
  .object({
    ...ofCampaign,
    leadId: z.exactOptional(leadId),
    conversationId: orNull(conversationId),
    lead: leadRecord,
    contact: orNull(leadContact),
  })
  .meta({ id: 'LeadEventData' });

const aboutMessage = { channel, conversationId, messageId };

const aboutPost = {
  id: postId,
  ...ofAccount,
  organizationId,
  content: z.string().meta({ example: 'New engines are here' }),
};

const aboutContact = z.object({ ...own, contactId, contact: orNull(contact) });
const aboutConversation = z.object({ ...own, conversationId, conversation });
const aboutWaiting = {
  conversationId,
  customer,
  lastMessage: orNull(lastMessage),
  waitingSince: orNull(timestamp()),
  assignedToId: orNull(userId),
};
const aboutAccount = z.object({ ...own, socialAccountId, socialAccount: account });
const aboutMember = z.object({ ...own, memberId: userId, member });

/** All webhook events. Other events are not sent. */
export const events = {
  'lead.deleted': { summary: 'A lead was deleted', data: aboutLead },
  'contact.created': { summary: 'A contact was created', data: aboutContact },
  'contact.updated': { summary: 'A contact was updated', data: aboutContact },
  'contact.deleted': {
    summary: 'A contact was deleted. `contact` is null if its data was erased',
    data: aboutContact,
  },
  'conversation.created': { summary: 'A customer started a conversation', data: aboutConversation },
  'conversation.assigned': {
    summary: 'A conversation was assigned, or its assignment was removed',
    data: aboutConversation.extend({ assignedToId: orNull(userId) }),
  },
  'conversation.closed': { summary: 'A conversation was closed', data: aboutConversation },
  'comment.hidden': {
    summary: 'A comment was hidden on the network, by a person here or by a moderation rule',
    data: z.object({
      ...own,
      conversationId,
      messageId,
      socialAccountId,
      moderationRule: orNull(
        z.object({
          id: z.string().meta({ example: '0192f0c6-7f80-7192-a3b4-c5d6e7f80912' }),
          name: z.string().meta({ example: 'Spam' }),
        }),
      ).meta({ description: 'Null if a person hid it' }),
    }),
  },
  'content.scheduled': {
    summary: 'A post was scheduled, or its time changed',
    data: z.object({ ...own, contentPostId: postId, contentPost }),
  },
  'account.connected': { summary: 'A social account was connected', data: aboutAccount },
  'account.inactive': {
    summary: 'A social account lost its access and must be reconnected',
    data: aboutAccount,
  },
  'member.joined': { summary: 'A person joined the organization', data: aboutMember },
  'member.removed': { summary: 'A member left the organization or was removed', data: aboutMember },
  'webhook.test': {
    summary: 'Somebody requested a test event for this webhook',
    data: z.object({ ...own, webhookId, webhook: organizationWebhook }),
  },
  'lead.created': {
    from: ['campaign'],
    summary: "A lead was created from a campaign's conversation",
    data: aboutLead,
  },
  'lead.updated': {
    from: ['campaign'],
    summary: "A lead from a campaign's conversation was updated",
    data: aboutLead.extend({
      changedFields: z.array(z.string().meta({ example: 'status' })),
    }),
  },
  'lead.converted': {
    from: ['campaign'],
    summary:
      "The status of a lead from a campaign's conversation changed to CONVERTED; `lead.updated` is also sent",
    data: aboutLead,
  },
  'lead.clicked': {
    from: ['campaign'],
    summary: 'A customer first followed a link in an answer of a campaign',
    data: aboutLead.extend({
      url: z.string().meta({ example: 'https://example.com/prices' }),
    }),
  },
  'message.received': {
    from: ['campaign', 'account'],
    summary: 'A customer sent a message',
    data: z.union([
      z.object({
        ...ofOrganization,
        campaignId,
        ...aboutMessage,
        customer,
        text,
        createdAt: timestamp(),
      }),
      z.object({
        ...ofAccount,
        ...aboutMessage,
        customer,
        text,
        platformPostId: orNull(z.string().meta({ example: '1789_1' })),
        createdAt: timestamp(),
      }),
    ]),
  },
  'message.sent': {
    from: ['campaign', 'account'],
    summary: 'A reply was sent to a customer; for campaigns, by the agent',
    data: z.union([
      z.object({
        ...ofOrganization,
        campaignId,
        ...aboutMessage,
        author,
        customer,
        text,
        sentAt: timestamp(),
      }),
      z.object({ ...ofAccount, ...aboutMessage, author, text, sentAt: timestamp() }),
    ]),
  },
  'conversation.handed_over': {
    from: ['campaign'],
    summary: 'A conversation was passed from the agent to people',
    data: z.object({
      ...ofCampaign,
      ...aboutWaiting,
      reason: z.enum(handoverReasons).meta({ example: 'HANDOFF' }),
    }),
  },
  'conversation.unanswered': {
    summary:
      'No agent answers a private message. Sent once until an agent or a person has answered',
    data: z.object({
      ...own,
      ...aboutWaiting,
      reason: z.enum(unansweredReasons).meta({ example: 'NO_MATCH' }),
    }),
  },
  'campaign.updated': {
    from: ['campaign'],
    summary: 'A campaign was updated',
    data: z.object({ ...ofOrganization, campaignId, campaign }),
  },
  'credits.low': {
    from: ['campaign'],
    summary: "The organization's credits fell below the auto-refill threshold",
    data: z.object({
      ...ofCampaign,
      organizationId,
      credits,
      threshold: z.int().meta({ example: 20 }),
    }),
  },
  'credits.exhausted': {
    from: ['campaign'],
    summary: 'The organization ran out of credits, and its agents stopped replying',
    data: z.object({ ...ofCampaign, organizationId, credits }),
  },
  'content.published': {
    from: ['account'],
    summary: 'A post was published',
    data: z.object({
      ...aboutPost,
      platformPostId: z.string().meta({ example: '1789_1' }),
      url: orNull(z.string().meta({ example: 'https://example.com/posts/1' })),
      publishedAt: timestamp(),
    }),
  },
  'content.failed': {
    from: ['account'],
    summary: 'A post failed to publish, and we will not retry it',
    data: z.object({
      ...aboutPost,
      scheduledAt: orNull(timestamp()),
      failureCode: z.string().meta({ example: 'REJECTED' }),
      failureReason: z.string().meta({ example: 'The network rejected the post' }),
    }),
  },
  'account.disconnected': {
    from: ['account'],
    summary: 'An account was disconnected and sends no more events',
    data: z.object({ ...ofAccount, platformUserId: z.string().meta({ example: '1789' }) }),
  },
} as const satisfies Record<EventType, EventDefinition>;
