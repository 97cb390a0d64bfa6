import type { NormalisedEvent } from '#lib/vendors/networks/network.ts';
import type {
  Controller,
  ConversationStatus,
  MessageAuthor,
  MessageDirection,
  MessageStatus,
  StopReason,
} from '#schemas/conversations.ts';
import type { Channel, Platform } from '#schemas/platforms.ts';
import type { AnsweredBy } from './answerer-figures.ts';

/**
 * What a customer and an account say to each other on a channel. The account's and the campaign's
 * ids have names of their own here, as leads are listed by attributes of the usual ones.
 */
export type Conversation = {
  readonly id: string;
  readonly organizationId: string;
  readonly list: 'conversation';
  readonly listShard: number;
  readonly accountId: string;
  readonly platform: Platform;
  readonly channel: Channel;
  readonly customer: { readonly id: string; readonly name: string };
  readonly matchedCampaignId?: string;
  readonly leadId?: string;
  /** The message for which a lead was made here last. */
  readonly leadMadeBy?: string;
  /** The content post that it came from. */
  readonly postId?: string;
  readonly controller: Controller;
  /** Raised whenever somebody takes it over or hands it back: what was begun before is too late. */
  readonly controlVersion: number;
  readonly status: ConversationStatus;
  readonly stopReason?: StopReason;
  readonly responseCount: number;
  /** The agent and the template that answered last. A template of a test is kept. */
  readonly agentId?: string;
  readonly template?: NamedTemplate;
  /** Variables of the template that had no value in the latest answer, and were left empty. */
  readonly missingVariables?: readonly string[];
  /** The answer that is on its way to be written: a later message puts another one in its place. */
  readonly replyToken?: string;
  readonly replyDueAt?: string;
  /** How often the AI service was asked for it in vain. */
  readonly replyTries?: number;
  /** When the customer wrote last. Absent until then. */
  readonly lastInboundAt?: string;
  /** The customer's latest message: an answer to an earlier one has been overtaken. */
  readonly lastInboundMessageId?: string;
  /** Until when the network lets the service answer in private; absent: without limit. */
  readonly windowExpiresAt?: string;
  readonly rating?: number;
  /** Whom the rating is counted for. */
  readonly ratedFor?: AnsweredBy;
  /** In the due-work index while it is open: when to look whether anybody still writes. */
  readonly duePk?: string;
  readonly dueAt?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type Message = {
  readonly id: string;
  readonly conversationId: string;
  readonly accountId: string;
  readonly direction: MessageDirection;
  readonly author: MessageAuthor;
  /** What the network told of; absent for what this service sent. */
  readonly type?: NormalisedEvent['type'];
  readonly text: string;
  readonly status: MessageStatus;
  /** Who of the organization wrote it here. */
  readonly userId?: string;
  /** The network's own id, once it is known. */
  readonly networkMessageId?: string;
  readonly platformPostId?: string;
  /** The network's id of what it answers. */
  readonly parentId?: string;
  readonly failureReason?: string;
  /** Of an answer of the agent: how it came about, and what it waits for. */
  readonly answer?: AgentAnswer;
  /** The answer is being sent: from then on nobody knows its outcome until it is recorded. */
  readonly sendingAt?: string;
  readonly createdAt: string;
};

/** Which template, of which kind, an answer was made with. */
export type NamedTemplate = {
  readonly id: string;
  readonly kind: 'TEMPLATE' | 'INTERACTIVE_TEMPLATE';
};

/** What is known of an answer of the agent, so that whoever finds it can finish it. */
export type AgentAnswer = {
  readonly answeredId: string;
  readonly answeredAt: string;
  /** The conversation that it answers, where that is another one: a private answer to a comment. */
  readonly ofConversationId?: string;
  /** It is sent only while nobody has taken the conversation over since. */
  readonly controlVersion: number;
  /** The network takes it until then. */
  readonly notAfter?: string;
  readonly platformPostId?: string;
  readonly campaignId?: string;
  readonly agentId?: string;
  readonly template: NamedTemplate;
  readonly leadId?: string;
  /** The first answer in its conversation. */
  readonly isFirst: boolean;
  /** The conversation goes to people with it. */
  readonly isHandOver: boolean;
  readonly usage: { readonly promptTokens: number; readonly completionTokens: number };
};

/** How a conversation is shown in lists. */
export function presentConversation(conversation: Conversation) {
  return {
    id: conversation.id,
    socialAccountId: conversation.accountId,
    platform: conversation.platform,
    channel: conversation.channel,
    campaignId: conversation.matchedCampaignId ?? null,
    leadId: conversation.leadId ?? null,
    customer: conversation.customer,
    controller: conversation.controller,
    status: conversation.status,
    stopReason: conversation.stopReason ?? null,
    responseCount: conversation.responseCount,
    rating: conversation.rating ?? null,
    missingVariables: [...(conversation.missingVariables ?? [])],
    createdAt: conversation.createdAt,
    updatedAt: conversation.updatedAt,
  };
}

export function presentMessage(message: Message) {
  const { id, direction, author, text, status, createdAt } = message;

  return { id, direction, author, text, status, createdAt };
}
