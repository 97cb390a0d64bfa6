import { campaign } from './campaigns.ts';
import { id, orNull, timestamp } from './common.ts';
import { handoverReasons, lastMessage } from './conversations.ts';
import { leadContact, leadRecord } from './leads.ts';
import { channels, platform } from './platforms.ts';
import * as z from './zod.ts';

export type EventDefinition = {
  readonly from: ReadonlyArray<'campaign' | 'account'>;
  readonly summary: string;
  readonly data: z.ZodType;
};

const organizationId = id('0192f0c1-7b5b-7a11-8c44-5d6e7f809a1b');
const campaignId = id('0192f0c6-5e6f-7798-a9ba-7f8091a2b3c4');
const conversationId = id('0192f0c3-2b3c-7182-9394-0f1a2b3c4d5e');
const messageId = id('0192f0c3-2b40-75c6-97d8-4d5e6f708192');
const socialAccountId = id('0192f0c3-2b3e-73a4-95b6-2b3c4d5e6f70');
const postId = id('0192f0c3-2b3f-74b5-86c7-3c4d5e6f7081');

const ofCampaign = { campaignId };
const ofAccount = { socialAccountId, platform };

const channel = z
  .enum(channels)
  .meta({ example: 'COMMENT', description: 'Distinguishes messages from comments' });
const customer = z.object({
  id: z.string().meta({ example: '17841400000000001' }),
  name: z.string().meta({ example: 'Charles Babbage' }),
});
const text = z.string().meta({ example: 'What does an engine cost?' });
const author = z.enum(['BOT', 'HUMAN']).meta({ example: 'BOT' });
const credits = z.int().meta({ example: 12, description: 'Remaining credits' });

const aboutLead = z
  .object({
    ...ofCampaign,
    conversationId: orNull(conversationId),
    lead: leadRecord,
    contact: orNull(leadContact),
  })
  .meta({ id: 'LeadEventData' });

const aboutMessage = { channel, conversationId, messageId };

const aboutPost = {
  id: postId,
  organizationId,
  ...ofAccount,
  content: z.string().meta({ example: 'New engines are here' }),
};

/** All webhook events. An event that is not listed here is not sent. */
export const events = {
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
  'message.received': {
    from: ['campaign', 'account'],
    summary: 'A customer sent a message',
    data: z.union([
      z.object({ ...ofCampaign, ...aboutMessage, customer, text, createdAt: timestamp() }),
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
      z.object({ ...ofCampaign, ...aboutMessage, author, customer, text, sentAt: timestamp() }),
      z.object({ ...ofAccount, ...aboutMessage, author, text, sentAt: timestamp() }),
    ]),
  },
  'conversation.handed_over': {
    from: ['campaign'],
    summary: 'A conversation went from the agent to people',
    data: z.object({
      ...ofCampaign,
      conversationId,
      reason: z.enum(handoverReasons).meta({ example: 'HANDOFF' }),
      customer,
      lastMessage: orNull(lastMessage),
      waitingSince: orNull(timestamp()),
      assignedToId: orNull(id('0192f0c1-7b5a-7c3e-9d2f-3a5b8c1d4e6f')),
    }),
  },
  'campaign.updated': {
    from: ['campaign'],
    summary: 'A campaign was updated',
    data: z.object({ ...ofCampaign, campaign }),
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
} as const satisfies Record<string, EventDefinition>;

export type EventType = keyof typeof events;
