import type { Conversation } from '#lib/features/conversations/conversation.ts';
import { takenOver } from '#lib/features/conversations/conversations.ts';
import { answered } from '#lib/features/conversations/waiting.ts';
import { planOrganizationEvent } from '#lib/platform/webhooks/organization-events.ts';
import {
  type HandoverReason,
  type StopReason,
  stopReasons,
  type UnansweredReason,
} from '#schemas/conversation-reasons.ts';
import { type PlannedChange, planHandOver, waitingData } from './hand-over.ts';

/** The reason why nobody answers a message: from planning, or from the end of the agent's reply. */
export type NoReplyCause =
  | 'NO_MATCH'
  | 'NO_AGENT'
  | 'CAMPAIGN_PAUSED'
  | 'REPLY_FAILED'
  | 'IGNORED'
  | HandoverReason
  | StopReason;

type HandsOver = {
  /** Whether people are only mailed, or also take over the conversation. */
  readonly handsOver: 'MAIL' | 'TAKEOVER';
};
type Unanswered = {
  /** The reason that a private conversation shows. Absent if people know it or caused it. */
  readonly unanswered?: UnansweredReason;
};

const consequences: {
  readonly [Cause in NoReplyCause]: Cause extends HandoverReason
    ? HandsOver & Unanswered
    : Unanswered;
} = {
  NO_MATCH: { unanswered: 'NO_MATCH' },
  NO_AGENT: { unanswered: 'NO_AGENT' },
  CAMPAIGN_PAUSED: { unanswered: 'PAUSED' },
  AGENT_INACTIVE: { unanswered: 'PAUSED' },
  AUTO_RESPONSE_OFF: { unanswered: 'AUTO_RESPONSE_OFF' },
  OUTSIDE_BUSINESS_HOURS: { unanswered: 'OUTSIDE_HOURS' },
  RATE_LIMITED: { unanswered: 'ACCOUNT_LIMITED' },
  WINDOW_CLOSED: { unanswered: 'WINDOW_CLOSED' },
  NOT_SUPPORTED: { unanswered: 'NOT_SUPPORTED' },
  REPLY_FAILED: { unanswered: 'NOT_SUPPORTED' },
  NO_TEXT: { handsOver: 'MAIL', unanswered: 'NO_TEXT' },
  PROMPT_TOO_LONG: { handsOver: 'MAIL', unanswered: 'PROMPT_TOO_LONG' },
  SUBSCRIPTION_PAUSED: { handsOver: 'MAIL', unanswered: 'SUBSCRIPTION_PAUSED' },
  NO_CREDITS: { handsOver: 'MAIL' },
  MAX_RESPONSES: { handsOver: 'MAIL' },
  HANDOFF: { handsOver: 'TAKEOVER' },
  LOW_CONFIDENCE: { handsOver: 'TAKEOVER' },
  UNSAFE_ANSWER: { handsOver: 'TAKEOVER' },
  AI_UNAVAILABLE: { handsOver: 'TAKEOVER' },
  IGNORED: {},
  HUMAN_TAKEOVER: {},
  OPTED_OUT: {},
  MODERATED: {},
};

/**
 * Plans the consequences if nobody answers a message, so that no customer is overlooked. Changes
 * nothing if people have the conversation.
 *
 * @param isTakenOver true if the agent leaves the conversation to people, whatever the cause.
 */
export async function planNoReply(
  conversation: Conversation,
  cause: NoReplyCause,
  isTakenOver = false,
): Promise<PlannedChange> {
  if (conversation.controller === 'HUMAN') {
    return { conversation, writes: [] };
  }
  if (cause === 'IGNORED') {
    return { conversation: answered(conversation), writes: [] };
  }
  const { handsOver, unanswered }: Partial<HandsOver> & Unanswered = consequences[cause];
  const left = handsOver === 'TAKEOVER' || isTakenOver ? takenOver(conversation) : conversation;
  const stopped = {
    ...left,
    isUnattended: true,
    ...(isStopReason(cause) ? { stopReason: cause } : {}),
  };
  const handedOver = isHandoverReason(cause)
    ? await planHandOver(stopped, cause)
    : { conversation: stopped, writes: [] };
  const shown = unanswered
    ? await planUnanswered(handedOver.conversation, unanswered)
    : { conversation: handedOver.conversation, writes: [] };

  return { ...shown, writes: [...handedOver.writes, ...shown.writes] };
}

function isStopReason(cause: NoReplyCause): cause is StopReason {
  return (stopReasons as readonly string[]).includes(cause);
}

function isHandoverReason(cause: NoReplyCause): cause is HandoverReason {
  return 'handsOver' in consequences[cause];
}

/** Customers who opted out of automatic answers expect none. Comments are public anyway. */
async function planUnanswered(
  before: Conversation,
  reason: UnansweredReason,
): Promise<PlannedChange> {
  const { organizationId, channel, customer, unansweredSince, answers = 0 } = before;
  if (channel !== 'DIRECT_MESSAGE' || !unansweredSince || customer.optedOutAt) {
    return { conversation: before, writes: [] };
  }
  const conversation = {
    ...before,
    unansweredReason: reason,
    reportedAtAnswers: answers,
  };
  if (before.reportedAtAnswers === answers) {
    return { conversation, writes: [] };
  }
  const data = { ...waitingData(conversation), reason };

  return {
    conversation,
    writes: await planOrganizationEvent(organizationId, { type: 'conversation.unanswered', data }),
  };
}
