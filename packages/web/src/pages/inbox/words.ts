import type { Conversation, Message, TracedAnswer } from '../../service.ts';
import { channelNames, networkNames } from '../../ui/networks.ts';

type Customer = Conversation['customer'];

/** Returns the customer's name. Until the network reports one, it is an id. */
export function nameOf({ id, name, username }: Customer): string {
  return name === id && username ? `@${username}` : name;
}

export function placeOf({ platform, channel }: Pick<Conversation, 'platform' | 'channel'>): string {
  return `${networkNames[platform]} ${channelNames[channel].toLowerCase()}`;
}

export const statusNames = {
  OPEN: 'Open',
  PAUSED: 'With people',
  CLOSED: 'Closed',
} as const satisfies Record<Conversation['status'], string>;

export const unansweredReasons = {
  NO_MATCH: 'No keyword of your campaigns matched this message, so the agent didn’t answer.',
  NO_AGENT: 'No active campaign has an agent for messages to this account.',
  PAUSED: 'The agent or its campaign is paused, so nobody answered.',
  AUTO_RESPONSE_OFF: 'Automatic answers are turned off, so nobody answered.',
  OUTSIDE_HOURS: 'This message came outside your business hours, so the agent didn’t answer.',
  SUBSCRIPTION_PAUSED: 'Your subscription is paused, so the agent didn’t answer.',
  PROMPT_TOO_LONG: 'The agent’s instructions are too long for the AI, so it couldn’t answer.',
  NO_TEXT: 'This message has no text that the agent could answer.',
  ACCOUNT_LIMITED: 'The account has sent too many messages, so the agent couldn’t answer.',
  WINDOW_CLOSED: 'The network allows no answer any more: the customer’s message is too old.',
  NOT_SUPPORTED: 'The network doesn’t let us answer this message.',
} as const satisfies Record<NonNullable<Conversation['unansweredReason']>, string>;

/** Why the agent doesn't answer. A conversation that a person took over needs no explanation. */
export const stopReasons = {
  MAX_RESPONSES: 'it has reached its limit of answers',
  OUTSIDE_BUSINESS_HOURS: 'it is outside your business hours',
  NO_CREDITS: 'there are no credits left',
  SUBSCRIPTION_PAUSED: 'your subscription is paused',
  WINDOW_CLOSED: 'the network allows no answer any more',
  HUMAN_TAKEOVER: 'a person has taken over',
  AI_UNAVAILABLE: 'the AI service didn’t respond',
  AUTO_RESPONSE_OFF: 'automatic answers are turned off',
  AGENT_INACTIVE: 'it is not active',
  NOT_SUPPORTED: 'the network doesn’t let it answer',
  PROMPT_TOO_LONG: 'its instructions are too long for the AI',
  UNSAFE_ANSWER: 'its answer wasn’t safe to send',
  RATE_LIMITED: 'the account has sent too many messages',
  NO_TEXT: 'the message has no text',
  MODERATED: 'a moderation rule matched',
  OPTED_OUT: 'the customer asked for no more messages',
  LOW_CONFIDENCE: 'it wasn’t sure enough of its answer',
} as const satisfies Record<NonNullable<Conversation['stopReason']>, string>;

/** The outcomes of the agent's answers. */
const outcomes = {
  PLANNED: 'The agent is about to answer.',
  SUPERSEDED: 'The agent answered a later message instead.',
  SENT: 'The agent answered.',
  FAILED: 'The agent’s answer couldn’t be sent.',
  UNKNOWN: 'The agent answered, but the network didn’t confirm it.',
  STOPPED: 'The agent didn’t answer',
  IGNORED: 'The agent decided that this message needs no answer.',
  HANDED_OVER: 'The agent handed the conversation to people',
  NOBODY: 'No agent was to answer this message.',
} as const satisfies Record<TracedAnswer['outcome'], string>;

export function sentenceOf({ outcome, stopReason }: TracedAnswer): string {
  const words = outcomes[outcome];
  if (words.endsWith('.')) {
    return words;
  }

  return stopReason ? `${words}, because ${stopReasons[stopReason]}.` : `${words}.`;
}

export const attachmentNames = {
  IMAGE: 'Image',
  VIDEO: 'Video',
  AUDIO: 'Audio',
  FILE: 'File',
  STICKER: 'Sticker',
  STORY: 'Story',
  OTHER: 'Shared post',
} as const satisfies Record<Message['attachments'][number]['kind'], string>;

/** Prefixes of the latest message, by author. */
export const previewPrefixes = {
  CUSTOMER: '',
  BOT: 'Agent: ',
  HUMAN: 'Team: ',
} as const satisfies Record<Message['author'], string>;
