import { eventTypes } from './event-types.ts';
import { channels, platforms } from './platforms.ts';
import * as z from './zod.ts';

/**
 * The payload of each kind of work, exported as `<kind>Work`. The outbox item stores it as text.
 * Changes must stay compatible with items that the previous deployment has written.
 */

const text = z.string();
const optionalText = z.exactOptional(text);
const ofAccount = z.object({ organizationId: text, accountId: text });
const ofMessage = z.object({ organizationId: text, conversationId: text, messageId: text });
const person = z.object({
  id: text,
  name: text,
  username: optionalText,
  avatarUrl: optionalText,
});
const sentFile = z.object({
  kind: z.enum(['IMAGE', 'VIDEO', 'AUDIO', 'FILE', 'STICKER', 'STORY', 'OTHER']),
  url: optionalText,
  mediaId: optionalText,
});

/** An encrypted email. */
export const mailWork = text;

/** A deleted organization or account, the erasure of a person, or the removal of old messages. */
export const organizationRemovalWork = z.storedAsJson(
  z.union([
    z.object({ organizationId: text, erasureId: text }),
    z.object({ dataDeletionCode: text }),
    z.object({ organizationId: text, removes: z.literal('oldMessages') }),
    z.object({ organizationId: text }),
    z.object({
      userId: text,
      email: text,
      firstName: text,
      lastName: text,
      lastActiveAt: text,
    }),
  ]),
);

/** The start or end of a suspension. The organization's state when the work runs decides which. */
export const suspensionWork = z.storedAsJson(z.object({ organizationId: text }));

export const signupCleanupWork = z.storedAsJson(z.object({ attemptId: text, email: text }));

export const refillChargeWork = z.storedAsJson(z.object({ organizationId: text, paymentId: text }));

/** The subscription to end, in its state when its organization was deleted. */
export const subscriptionEndWork = z.storedAsJson(
  z.object({
    status: text,
    attemptId: text,
    organizationId: text,
    customerId: text,
    plan: z.object({ id: text, trialDays: z.number() }),
    priceId: text,
    paymentMethodId: text,
    createdAt: text,
  }),
);

export const leadRemovalWork = z.storedAsJson(
  z.object({
    organizationId: text,
    leadId: text,
    /** The lead that takes over the activities, if it still exists. */
    mergedInto: text.optional(),
  }),
);

export const leadImportWork = z.storedAsJson(z.object({ organizationId: text, importId: text }));

export const webhookWork = z.storedAsJson(
  z.object({ organizationId: text, sourceId: text, deliveryId: text }),
);

const organizationEvent = z.object({
  organizationId: text,
  type: z.enum(eventTypes),
  timestamp: text,
  data: z.record(text, z.unknown()),
});

/** An event, or the repeated check of an organization's live connections. */
export const webhookFanOutWork = z.storedAsJson(
  z.union([
    organizationEvent,
    z.object({ organizationId: text, checks: z.literal('liveConnections') }),
  ]),
);

export type StoredEvent = z.output<typeof organizationEvent>;

/** The webhook in its state when it was switched off. */
export const webhookDisabledWork = z.storedAsJson(
  z.object({ organizationId: text, url: text, reason: text }),
);

export const accountSubscriptionWork = z.storedAsJson(ofAccount);

/** The account in its state when it was disconnected. Its token is encrypted for the work item. */
export const accountDisconnectedWork = z.storedAsJson(
  z.object({
    id: text,
    organizationId: text,
    platform: z.enum(platforms),
    platformUserId: text,
    platformUserName: text,
    permissions: z.array(text),
    isActive: z.boolean(),
    accessToken: text,
    tokenVersion: z.number(),
    tokenIssuedAt: text,
    createdAt: text,
    updatedAt: text,
    disconnectedAt: text,
  }),
);

export const accountSnapshotWork = z.storedAsJson(ofAccount);

/** Due posts of one account. Posts that another publisher may have abandoned come first. */
export const contentPublishWork = z.storedAsJson(
  ofAccount.extend({
    postIds: z.array(text),
    /** The time when the last of these posts is due. */
    completeAt: text,
  }),
);

export const inboundEventWork = z.storedAsJson(
  ofAccount.extend({
    platform: z.enum(platforms),
    /** The id of the stored message, so that reprocessing the event does not duplicate it. */
    messageId: text,
    event: z.object({
      eventId: text,
      platformUserId: text,
      type: z.enum([
        'message',
        'comment',
        'mention',
        'post',
        'deauthorized',
        'publication',
        'leadAd',
      ]),
      channel: z.enum(channels),
      from: person,
      /** Only echoes have it. */
      to: person.optional(),
      text,
      messageId: text,
      platformPostId: optionalText,
      parentId: optionalText,
      isEcho: z.boolean(),
      echoTag: optionalText,
      attachments: z.exactOptional(z.array(sentFile)),
      tapped: optionalText,
      isIncomplete: z.exactOptional(z.boolean()),
      action: z.exactOptional(z.enum(['edit', 'withdraw'])),
      revision: z.exactOptional(z.number()),
      occurredAt: text,
      details: z.exactOptional(z.record(text, z.unknown())),
    }),
    /** True after the event has waited for the outcome of a sent message. */
    hasWaited: z.exactOptional(z.boolean()),
  }),
);

/** A submitted form of a lead ad. It is fetched by its id. */
export const leadAdWork = z.storedAsJson(
  ofAccount.extend({
    platform: z.enum(platforms),
    leadAdId: text,
    eventId: text,
    receivedAt: text,
  }),
);

export const replyPlanningWork = z.storedAsJson(ofMessage);

const plannedReply = ofMessage.extend({
  /** Idempotency id: the reply is stored and charged once under this id. */
  replyId: text,
  way: z.enum(['reply', 'privateReply']),
  /** The customer's latest message at planning time. A newer one makes this work obsolete. */
  sawUpTo: text,
  /** The first of the messages that are answered together. */
  from: optionalText,
  campaignId: optionalText,
  /** The agent that replies if there is no campaign. */
  agentId: optionalText,
  template: z.object({ id: text, kind: z.enum(['TEMPLATE', 'INTERACTIVE_TEMPLATE']) }),
});

export type PlannedReply = z.output<typeof plannedReply>;

/** The confirmation of an opt-out. It is already stored. */
const confirmation = ofMessage.extend({ confirms: z.literal('optOut') });

export type PlannedConfirmation = z.output<typeof confirmation>;

const followUp = ofMessage.extend({
  /** Idempotency id, like a reply's. `messageId` is the answer that is followed up. */
  followUpId: text,
  campaignId: text,
  /** The channel of the campaign's config. */
  channel: z.enum(channels),
  /** The customer's latest private message at the time of the answer. */
  sawUpTo: optionalText,
  dueAt: text,
});

export type PlannedFollowUp = z.output<typeof followUp>;

/** A planned reply of the agent, a follow-up to one, or a confirmation. */
export const replyWork = z.storedAsJson(z.union([confirmation, followUp, plannedReply]));

export const assignmentRemovalWork = z.storedAsJson(
  z.object({
    organizationId: text,
    userId: text,
    /** When the member lost the right to be assigned. */
    endedAt: text,
  }),
);

export const messageOutcomeWork = z.storedAsJson(
  ofMessage.extend({
    /** The action on a comment. Without it, this resolves the outcome of a sent message. */
    action: z.enum(['hide', 'unhide', 'like', 'unlike', 'delete']).optional(),
  }),
);

export const attachmentsWork = z.storedAsJson(ofMessage);

export const mediaProcessingWork = z.storedAsJson(
  z.object({ organizationId: text, mediaId: text }),
);

export const knowledgeReadingWork = z.storedAsJson(
  z.object({ organizationId: text, sourceId: text }),
);

export const customerProfileWork = z.storedAsJson(
  z.object({ organizationId: text, conversationId: text }),
);

export const bioClickWork = z.storedAsJson(
  z.union([
    /** The first click of a personal link. */
    z.object({ organizationId: text, conversationId: text, linkId: text }),
    z.object({
      organizationId: text,
      linkId: text,
      day: text,
      shard: z.int(),
      country: text.optional(),
      referrerHost: text.optional(),
      visitor: text,
      /** The visit was claimed, and only counting it failed. */
      isClaimed: z.boolean().optional(),
      expiresAtSeconds: z.int(),
    }),
  ]),
);
