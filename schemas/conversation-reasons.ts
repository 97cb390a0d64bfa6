/** Why the agent does not reply. */
export const stopReasons = [
  'MAX_RESPONSES',
  'OUTSIDE_BUSINESS_HOURS',
  'NO_CREDITS',
  'SUBSCRIPTION_PAUSED',
  'WINDOW_CLOSED',
  'HUMAN_TAKEOVER',
  'AI_UNAVAILABLE',
  'AUTO_RESPONSE_OFF',
  'AGENT_INACTIVE',
  'NOT_SUPPORTED',
  'PROMPT_TOO_LONG',
  'UNSAFE_ANSWER',
  'RATE_LIMITED',
  'NO_TEXT',
  'MODERATED',
  'OPTED_OUT',
  'LOW_CONFIDENCE',
] as const;
export type StopReason = (typeof stopReasons)[number];

/** Why a conversation was handed to people. */
export const handoverReasons = [
  'HANDOFF',
  'LOW_CONFIDENCE',
  'UNSAFE_ANSWER',
  'AI_UNAVAILABLE',
  'NO_CREDITS',
  'MAX_RESPONSES',
  'NO_TEXT',
  'PROMPT_TOO_LONG',
  'SUBSCRIPTION_PAUSED',
] as const;
export type HandoverReason = (typeof handoverReasons)[number];

/** Why nobody answers a customer's private message. */
export const unansweredReasons = [
  'NO_MATCH',
  'NO_AGENT',
  'PAUSED',
  'AUTO_RESPONSE_OFF',
  'OUTSIDE_HOURS',
  'SUBSCRIPTION_PAUSED',
  'PROMPT_TOO_LONG',
  'NO_TEXT',
  'ACCOUNT_LIMITED',
  'WINDOW_CLOSED',
  'NOT_SUPPORTED',
] as const;
export type UnansweredReason = (typeof unansweredReasons)[number];
