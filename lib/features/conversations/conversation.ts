import type { NamedTemplate } from '#lib/features/ai/template-uses.ts';
import type { Attribution } from '#lib/features/attribution/attribution.ts';
import type { ListShard } from '#lib/platform/db/lists/shards.ts';
import type {
  CommentAction,
  MessageButton,
  NormalisedEvent,
} from '#lib/vendors/networks/network.ts';
import type { StopReason, UnansweredReason } from '#schemas/conversation-reasons.ts';
import type {
  AttachmentKind,
  Controller,
  ConversationStatus,
  MessageAuthor,
  MessageDirection,
  MessageStatus,
} from '#schemas/conversations.ts';
import type { Channel, Platform } from '#schemas/platforms.ts';

/**
 * The agent and template that answered a customer. Stored with the counts, so that a later change
 * subtracts from the same ones even if another agent has answered since.
 */
export type AnsweredBy = { readonly agentId?: string; readonly template?: NamedTemplate };

/**
 * The messages between a customer and an account on one channel. Its assignee, contact and closing
 * time have special attribute names. The usual names belong to index entries of leads, so changes
 * would write entries that nothing reads.
 */
export type Conversation = {
  readonly id: string;
  readonly organizationId: string;
  readonly list: ListShard<'conversation'>;
  readonly socialAccountId: string;
  readonly platform: Platform;
  readonly channel: Channel;
  readonly customer: {
    readonly id: string;
    readonly name: string;
    readonly username?: string;
    readonly avatarUrl?: string;
    /** When the customer opted out of automatic answers, by the network's clock. */
    readonly optedOutAt?: string;
  };
  /** The words of the customer's name and username, for searches. */
  readonly words?: readonly string[];
  /** The member to whom the conversation is assigned. */
  readonly assigneeId?: string;
  readonly campaignId?: string;
  /** The attribution of the latest match of a campaign's keyword. */
  readonly attribution?: Attribution;
  /** When that keyword matched. */
  readonly keywordMatchedAt?: string;
  readonly leadId?: string;
  /** The contact of the lead. */
  readonly leadContactId?: string;
  /** The message that last created a lead in this conversation. */
  readonly leadMadeBy?: string;
  readonly postId?: string;
  readonly controller: Controller;
  /** Incremented on every takeover and handback. Replies that started before are discarded. */
  readonly controlVersion: number;
  /** PAUSED while people answer it. */
  readonly status: ConversationStatus;
  readonly isClosed?: boolean;
  readonly stopReason?: StopReason;
  readonly responseCount: number;
  /** The agent and template that answered last. A template in an A/B test keeps answering. */
  readonly agentId?: string;
  readonly template?: NamedTemplate;
  /** The interactive templates whose answers were sent. */
  readonly answeredWith?: readonly string[];
  /** Variables of the template that had no value in the latest answer, and were left empty. */
  readonly missingVariables?: readonly string[];
  /** The pending reply. A later message replaces it. */
  readonly replyToken?: string;
  readonly replyDueAt?: string;
  /** The first of the messages that the pending reply answers. */
  readonly replyFrom?: string;
  /** The follow-up that was planned. A conversation never gets a second one. */
  readonly followUpId?: string;
  /** Number of failed AI calls for the pending reply. */
  readonly replyTries?: number;
  /** When it was last handed to people. Removed when the agent answers again. */
  readonly handedOverAt?: string;
  /** When people were mailed about it. Removed when a person answers or reads it. */
  readonly handOverMailedAt?: string;
  /**
   * The reason why no agent answers the customer. Removed when somebody answers or a person reads
   * it.
   */
  readonly unansweredReason?: UnansweredReason;
  /**
   * The number of `answers` at the last report as an event, so that it is reported once between two
   * answers.
   */
  readonly reportedAtAnswers?: number;
  /** The members who were mailed about it. Removed when a person answers or reads it. */
  readonly mailedTo?: readonly string[];
  /** The time of the customer's oldest message without an answer. See `waitingSinceOf`. */
  readonly unansweredSince?: string;
  /** True if nobody is going to answer the unanswered messages. */
  readonly isUnattended?: boolean;
  /** Messages of the customer since a person last answered or read the conversation. */
  readonly unreadCount?: number;
  /** The number of answers to unanswered messages. */
  readonly answers?: number;
  /** How often people have read or answered the conversation. */
  readonly reads?: number;
  /** How often one of its messages was edited, withdrawn or hidden. */
  readonly messageChanges?: number;
  readonly lastMessage?: LastMessage;
  /** The time of the latest message, or of creation while there is none, in milliseconds. */
  readonly rank: number;
  readonly lastInboundAt?: string;
  /** The customer's latest message. Replies to earlier messages are obsolete. */
  readonly lastInboundMessageId?: string;
  /** When the network's private reply window closes. Absent if there is no limit. */
  readonly windowExpiresAt?: string;
  /** When the customer first followed a personal link of this conversation. */
  readonly clickedAt?: string;
  readonly rating?: number;
  /** The agent and template that the rating is attributed to. */
  readonly ratedFor?: AnsweredBy;
  /** Set while the conversation is open: the time of the next check for silence. */
  readonly duePk?: string;
  readonly dueAt?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** A file of a message. `isStored` is true if the service has its own copy. */
export type StoredAttachment = {
  readonly id: string;
  readonly kind: AttachmentKind;
  readonly sourceUrl?: string;
  /** The network's id of the file, if its URL must be requested. */
  readonly mediaId?: string;
  readonly contentType?: string;
  readonly bytes?: number;
  readonly isStored?: boolean;
  /** The network's id of the file that was sent before the message's text. */
  readonly networkMessageId?: string;
};

export type LastMessage = Pick<Message, 'direction' | 'author' | 'text' | 'createdAt'>;

export type Message = {
  readonly id: string;
  readonly conversationId: string;
  readonly accountId: string;
  readonly direction: MessageDirection;
  readonly author: MessageAuthor;
  /** The network's event type; absent for messages sent by this service. */
  readonly type?: NormalisedEvent['type'];
  readonly text: string;
  readonly status: MessageStatus;
  /** The user who wrote the message in this service. */
  readonly userId?: string;
  readonly networkMessageId?: string;
  readonly platformPostId?: string;
  /** The network's id of the message that this one replies to. */
  readonly parentId?: string;
  readonly failureReason?: string;
  readonly attachments?: readonly StoredAttachment[];
  /** The conversation's `answers` and `reads` when the message arrived. */
  readonly answers?: number;
  readonly reads?: number;
  /** The latest edit: its number, or its time at the network. */
  readonly revision?: number;
  /** When its sender withdrew the message, or a person deleted it at the network. */
  readonly deletedAt?: string;
  /** Hidden at the network, by a person or a moderation rule. */
  readonly isHidden?: boolean;
  /** Liked at the network by the account. */
  readonly isLiked?: boolean;
  /** The action that is running at the network. It may already be done there. */
  readonly pendingAction?: PendingAction;
  /** The moderation rule that matched the comment. It is not answered. */
  readonly moderationRule?: MatchedRule;
  /** The knowledge gap that was created from its text. */
  readonly gapId?: string;
  /** Buttons below the text. Their URLs are personal links. */
  readonly buttons?: readonly MessageButton[];
  /** For agent replies: between 0 and 1, from the AI service. */
  readonly confidence?: number;
  /** For agent replies: how the reply was created, and what it still needs. */
  readonly answer?: AgentAnswer;
  /**
   * Set when sending starts. For a person's reply with a file, set when sending the text after the
   * file starts. Until a result is recorded, the outcome is unknown.
   */
  readonly sendingAt?: string;
  readonly createdAt: string;
};

/** An agent's answer that was claimed. Its message is stored in this conversation. */
export type ClaimedAnswer = {
  readonly conversation: Conversation;
  readonly message: Message & { readonly answer: AgentAnswer };
};

export type PendingAction = {
  readonly action: CommentAction;
  readonly since: string;
  /** Planned by the comment's moderation rule, and retried if the network fails. */
  readonly isByRule?: boolean;
};

export type MatchedRule = { readonly id: string; readonly name: string };

/** Everything needed to finish an agent reply, so that any worker can resume it. */
export type AgentAnswer = {
  readonly answeredId: string;
  readonly answeredAt: string;
  /**
   * The answered conversation, if it differs. A private reply answers the conversation of a
   * comment.
   */
  readonly ofConversationId?: string;
  /** The reply is sent only if this still matches the conversation's version. */
  readonly controlVersion: number;
  /** The network's deadline for the reply. */
  readonly notAfter?: string;
  readonly platformPostId?: string;
  readonly campaignId?: string;
  readonly agentId?: string;
  /** Absent for a fixed answer, which has no template. */
  readonly template?: NamedTemplate;
  readonly leadId?: string;
  /** The conversation's `unansweredSince` before this reply. Restored if sending fails. */
  readonly unansweredSince?: string;
  /** The conversation's `answers` before this reply. Restored if sending fails. */
  readonly answers?: number;
  readonly isFirst: boolean;
  readonly isHandOver: boolean;
  /** The follow-up that is planned after this answer is sent. */
  readonly followUp?: FollowUpStart;
  /** The id of the answer that this message follows up on. */
  readonly followsUp?: string;
  readonly usage: { readonly promptTokens: number; readonly completionTokens: number };
};

/** The campaign's config for `channel` contains the text. */
export type FollowUpStart = {
  readonly channel: Channel;
  readonly afterMinutes: number;
  /** The customer's latest private message at the time of the answer. */
  readonly sawUpTo?: string;
};

/** False if the network did not send the customer's name, and the id is shown instead. */
export function isNamed({ id, name }: Pick<Conversation['customer'], 'id' | 'name'>): boolean {
  return name !== '' && name !== id;
}

/** False for messages that were withdrawn or hidden, because nobody has to read or answer them. */
export function isShown({ deletedAt, isHidden }: Message): boolean {
  return deletedAt === undefined && !isHidden;
}

/** False for messages that were withdrawn, hidden, or matched by a moderation rule. */
export function isAnswerable(message: Message): boolean {
  return isShown(message) && message.moderationRule === undefined;
}

/** True if the file of a message was sent. Its text is sent afterwards. */
export function isFileSent({ attachments = [] }: Pick<Message, 'attachments'>): boolean {
  return attachments.some(({ networkMessageId }) => networkMessageId !== undefined);
}

export function presentConversation(conversation: Conversation) {
  const { customer } = conversation;

  return {
    ...conversation,
    customer: { ...customer, name: customer.name || customer.id },
    contactId: conversation.leadContactId,
    assignedToId: conversation.assigneeId,
    missingVariables: conversation.missingVariables ?? [],
    waitingSince: waitingSinceOf(conversation),
    lastMessageAt: conversation.lastMessage?.createdAt,
    unreadCount: conversation.unreadCount ?? 0,
  };
}

export function presentMessage(message: Message) {
  const { id, direction, author, text, status, createdAt } = message;
  const { failureReason, userId, confidence, deletedAt, isHidden, isLiked } = message;

  return {
    id,
    direction,
    author,
    text,
    status,
    attachments: [],
    failureReason,
    userId,
    confidence,
    isHidden: isHidden ?? false,
    isLiked: isLiked ?? false,
    deletedAt,
    createdAt,
  };
}

/**
 * Returns how long the customer has been waiting: the time of their oldest unanswered message,
 * while people answer the conversation or nobody will.
 */
export function waitingSinceOf(
  conversation: Pick<
    Partial<Conversation>,
    'unansweredSince' | 'controller' | 'stopReason' | 'isUnattended'
  >,
): string | undefined {
  const { unansweredSince, controller, stopReason, isUnattended } = conversation;
  const isWaiting = controller === 'HUMAN' || stopReason !== undefined || isUnattended === true;

  return isWaiting ? unansweredSince : undefined;
}
