import { dayMs, epochSeconds, timestamp } from '#lib/platform/clock.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { keys, ranges } from '#lib/platform/db/keys.ts';
import { query } from '#lib/platform/db/read.ts';
import { change, create, type Write } from '#lib/platform/db/write.ts';
import type { StopReason, TraceOutcome } from '#schemas/conversations.ts';

const keptDays = 30;

export type TracedMatch = {
  readonly campaignId: string;
  readonly keyword: string;
  readonly matchType: string;
  readonly priority: number;
};

/** What became of one way of answering a message. */
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
  /** Placeholders of the template that had no value. */
  readonly missingVariables?: readonly string[];
};

/** The ways in which a message can be answered. */
export type Way = 'reply' | 'privateReply';

/** All that was decided about one inbound message, as it was decided. */
export type TraceEntry = {
  readonly messageId: string;
  readonly type: string;
  readonly matched?: TracedMatch;
  /** What would have matched too, and came after. At most ten. */
  readonly lost: readonly TracedMatch[];
  readonly leadId?: string;
  readonly isNewLead: boolean;
  readonly reply: TracedAnswer;
  readonly privateReply?: TracedAnswer;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** The entry of a message, written once: whoever finds one has nothing to decide any more. */
export function planTrace(
  organizationId: string,
  conversationId: string,
  entry: TraceEntry,
  refused: () => Error,
): Write {
  const expiresAtSeconds = epochSeconds((keptDays * dayMs) / 1_000);

  return create(
    keys.replyTrace(organizationId, conversationId, entry.messageId),
    { ...entry, expiresAtSeconds },
    refused,
  );
}

/** What has become of an answer since, over what stood there. */
export function planTraced(key: Key, way: Way, answer: TracedAnswer): Write {
  return change(key, { set: { [way]: answer, updatedAt: timestamp() }, orCreate: true });
}

/** The entries of a conversation's latest messages, newest first. */
export async function readTrace(
  organizationId: string,
  conversationId: string,
  limit: number,
): Promise<readonly TraceEntry[]> {
  const range = ranges.replyTraces(organizationId, conversationId);
  const entries = await query<TraceEntry>(range, { newestFirst: true, limit });

  // One that had expired before its answer came says too little to be shown.
  return entries.filter(({ messageId }: Partial<TraceEntry>) => messageId !== undefined);
}

/** An entry as it is shown. What is recorded here came from its network, and was checked. */
export function presentTrace(entry: TraceEntry) {
  return {
    messageId: entry.messageId,
    type: entry.type,
    verified: true,
    matched: entry.matched ?? null,
    lost: [...entry.lost],
    leadId: entry.leadId ?? null,
    isNewLead: entry.isNewLead,
    reply: presentAnswer(entry.reply),
    privateReply: entry.privateReply ? presentAnswer(entry.privateReply) : null,
    createdAt: entry.createdAt,
    updatedAt: entry.updatedAt,
  };
}

function presentAnswer(answer: TracedAnswer) {
  return {
    outcome: answer.outcome,
    campaignId: answer.campaignId ?? null,
    agentId: answer.agentId ?? null,
    templateId: answer.templateId ?? null,
    replyId: answer.replyId ?? null,
    plannedFor: answer.plannedFor ?? null,
    stopReason: answer.stopReason ?? null,
    detail: answer.detail ?? null,
    promptTokens: answer.promptTokens ?? null,
    completionTokens: answer.completionTokens ?? null,
    missingVariables: [...(answer.missingVariables ?? [])],
  };
}
