import type { MatchedRule } from '#lib/features/conversations/conversation.ts';
import type { FoundPassage } from '#lib/features/knowledge/find-passages.ts';
import { dayMs, epochSeconds, timestamp } from '#lib/platform/clock.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { socialKeys, socialRanges } from '#lib/platform/db/keys/social.ts';
import { query } from '#lib/platform/db/read.ts';
import { change, create, type Write } from '#lib/platform/db/write.ts';
import type { StopReason } from '#schemas/conversation-reasons.ts';
import type { TraceOutcome } from '#schemas/conversations.ts';

const retentionDays = 30;

export const messageGone = 'The message was withdrawn or hidden';

export type TracedMatch = {
  readonly campaignId: string;
  readonly keyword: string;
  readonly matchType: string;
  readonly priority: number;
};

export type TracedAnswer = {
  readonly outcome: TraceOutcome;
  readonly campaignId?: string;
  readonly agentId?: string;
  readonly templateId?: string;
  readonly replyId?: string;
  readonly plannedFor?: string;
  readonly stopReason?: StopReason;
  readonly detail?: string;
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  /** Between 0 and 1, from the AI service. */
  readonly confidence?: number;
  /** The knowledge that was in the prompt, best first. */
  readonly passages?: readonly FoundPassage[];
  /** Template placeholders that had no value. */
  readonly missingVariables?: readonly string[];
};

/** The state of a comment that a moderation rule matched. */
export type Moderation = 'PLANNED' | 'HIDDEN' | 'FAILED' | 'NOT_SUPPORTED';

export type AnswerKind = 'reply' | 'privateReply' | 'followUp';

export type TraceEntry = {
  readonly messageId: string;
  readonly type: string;
  readonly matched?: TracedMatch;
  /** Other campaigns that matched with a lower priority. At most ten. */
  readonly lost: readonly TracedMatch[];
  readonly leadId?: string;
  readonly isNewLead: boolean;
  readonly reply: TracedAnswer;
  readonly privateReply?: TracedAnswer;
  /** The trace of the follow-up to the answer. */
  readonly followUp?: TracedAnswer;
  /** The moderation rule that matched the comment. */
  readonly moderationRule?: MatchedRule;
  readonly moderation?: Moderation;
  readonly replyPassages?: readonly FoundPassage[];
  readonly privateReplyPassages?: readonly FoundPassage[];
  readonly createdAt: string;
  readonly updatedAt: string;
};

/**
 * Creates the trace entry of a message. It is written once, so an existing entry means that the
 * message has already been decided.
 */
export function planTrace(
  organizationId: string,
  conversationId: string,
  entry: TraceEntry,
): Write {
  const expiresAtSeconds = epochSeconds((retentionDays * dayMs) / 1_000);

  return create(socialKeys.replyTrace(organizationId, conversationId, entry.messageId), {
    ...entry,
    expiresAtSeconds,
  });
}

/**
 * Passages are stored separately, so that the outcome of a sent answer does not have to repeat
 * them.
 */
export function planTraced(
  key: Key,
  way: AnswerKind,
  { passages, ...answer }: TracedAnswer,
): Write {
  return change(key, {
    set: { [way]: answer, ...passagesFieldOf(way, passages), updatedAt: timestamp() },
    orCreate: true,
  });
}

/** Follow-ups have fixed texts, so they need no knowledge. */
function passagesFieldOf(way: AnswerKind, passages: TracedAnswer['passages']) {
  return way === 'followUp' ? {} : { [`${way}Passages`]: passages };
}

/** Returns the trace entries of a conversation's latest messages, newest first. */
export async function readTrace(
  organizationId: string,
  conversationId: string,
  limit: number,
): Promise<readonly TraceEntry[]> {
  const range = socialRanges.replyTraces(organizationId, conversationId);
  const entries = await query<TraceEntry>(range, { newestFirst: true, limit });

  // Skips partial entries, which expired before their outcome was written.
  return entries.filter(({ messageId }: Partial<TraceEntry>) => messageId !== undefined);
}

/** Formats an entry. `verified` is always true: only checked events are recorded. */
export function presentTrace(entry: TraceEntry) {
  const { reply, privateReply, followUp } = entry;

  return {
    ...entry,
    verified: true,
    reply: presentAnswer(reply, entry.replyPassages),
    privateReply: privateReply && presentAnswer(privateReply, entry.privateReplyPassages),
    followUp: followUp && presentAnswer(followUp),
  };
}

function presentAnswer(answer: TracedAnswer, passages: readonly FoundPassage[] = []) {
  const { missingVariables = [] } = answer;

  return { ...answer, missingVariables, passages };
}
