import { takeAiCall } from '#lib/features/ai/ai-budget.ts';
import { isPromptTooLong } from '#lib/features/ai/prompt.ts';
import { CreditsExhaustedError } from '#lib/features/billing/ledger/credit-reservations.ts';
import { refillWhenLow } from '#lib/features/billing/refills/start-refill.ts';
import { embedQuestion } from '#lib/features/knowledge/find-passages.ts';
import { type AskedQuestion, planGap } from '#lib/features/knowledge/gaps.ts';
import { answered } from '#lib/features/social/conversations/attention.ts';
import type { Conversation, Message } from '#lib/features/social/conversations/conversation.ts';
import {
  findConversation,
  planConversationChange,
  takenOver,
} from '#lib/features/social/conversations/conversations.ts';
import { MessageAlreadyRecordedError } from '#lib/features/social/conversations/messages.ts';
import { minuteMs, secondMs, timestamp } from '#lib/platform/clock.ts';
import { definedFields } from '#lib/platform/compact.ts';
import { type Key, keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { ConditionNotMetError, write } from '#lib/platform/db/write.ts';
import { ApiError } from '#lib/platform/errors/api-error.ts';
import { describeFailure } from '#lib/platform/log/logger.ts';
import { logAlarmingError } from '#lib/platform/metrics/embedded-metrics.ts';
import type { WorkOutcome } from '#lib/platform/work/worker.ts';
import type { HandoverReason, StopReason } from '#schemas/conversations.ts';
import {
  claimReply,
  latestMoment,
  PrivateReplySentError,
  ReplyStoppedError,
  type WrittenReply,
} from './claim-reply.ts';
import { type ComposedReply, composeReply, promptOf } from './compose-reply.ts';
import { deliverReply } from './deliver-reply.ts';
import { findClaimed, finishClaimed } from './finish-claimed.ts';
import { planFixedReply } from './fixed-reply.ts';
import { handoverReasonOf, planHandOver } from './hand-over.ts';
import { isAnswerable } from './moderate-comment.ts';
import { type ReplyScene, type ReplyWork, readScene, stopReasonOf } from './reply-scene.ts';
import { reportRateLimit } from './report-rate-limit.ts';
import { countTry } from './send-once.ts';
import { planTraced, type TracedAnswer, type TraceEntry } from './trace.ts';

/** Retry delays of failed AI calls. After these, people take over. */
const aiWaitsMs = [2 * secondMs, 10 * secondMs, 30 * secondMs, 2 * minuteMs];

/**
 * Generates a reply with the AI service and sends it. Idempotent after a crash at any point: a
 * claimed reply is finished, and nothing is sent twice.
 */
export async function sendReply(key: Key, planned: ReplyWork): Promise<WorkOutcome> {
  const claimed = await findClaimed(planned);
  if (claimed) {
    return finishClaimed(claimed, key);
  }
  const scene = await readScene(planned);
  if (!scene) {
    const detail = 'Something the reply depends on was deleted';

    return (
      (await resumeEnded(planned)) ??
      endWithoutReply(planned, { outcome: 'NOBODY', detail }, { next: unattended })
    );
  }
  const work: ReplyWork = { ...planned, template: scene.named };
  if (isOutOfDate(work, scene)) {
    return (await resumeEnded(work)) ?? endWithoutReply(work, { outcome: 'SUPERSEDED' });
  }
  const conversation = conversationToAnswer(work, scene);
  const answered = answeredMessages(work, scene);
  if (answered.length === 0) {
    const detail = 'The message was withdrawn or hidden';

    return (await resumeEnded(work)) ?? endWithoutReply(work, { outcome: 'SUPERSEDED', detail });
  }
  const { fixed } = scene.answerer;
  const reason =
    stopReasonOf(scene.answerer, { ...scene, conversation }) ??
    (fixed ? undefined : promptProblemOf(scene, answered));
  if (reason) {
    return (await resumeEnded(work)) ?? stop(work, reason);
  }
  if (fixed) {
    const traced = tracedAnswer(work, scene, {});

    return claimAndDeliver(work, scene, await planFixedReply(scene, fixed), traced, key);
  }

  return composeAndSend(work, scene, answered, key);
}

/** Returns why the AI cannot answer the messages. */
function promptProblemOf(
  scene: ReplyScene,
  answered: readonly Message[],
): 'NO_TEXT' | 'PROMPT_TOO_LONG' | undefined {
  if (answered.every(({ text }) => text.trim() === '')) {
    return 'NO_TEXT';
  }

  return isPromptTooLong(promptOf(scene)) ? 'PROMPT_TOO_LONG' : undefined;
}

async function composeAndSend(
  work: ReplyWork,
  scene: ReplyScene,
  answered: readonly Message[],
  key: Key,
): Promise<WorkOutcome> {
  if (!(await takeAiCall(work.organizationId))) {
    return stop(work, 'AI_UNAVAILABLE');
  }
  try {
    const composed = await composeReply(scene, answered);

    return await sendComposed(work, scene, composed, key);
  } catch (failure) {
    if (!(failure instanceof ApiError && failure.kind === 'upstream')) {
      throw failure;
    }
    const tries = await countTry(key, 'aiTries');
    const againInMs = aiWaitsMs[tries - 1];

    return againInMs === undefined ? handOver(work, failure) : { againInMs };
  }
}

/** Logged before the change, so that a crash in between cannot hide a handover. */
function handOver(work: ReplyWork, failure: ApiError): Promise<'done'> {
  const { organizationId, conversationId } = work;
  logAlarmingError('AgentHandedOver', 'A conversation was handed over: the AI service failed', {
    organizationId,
    conversationId,
    failure: describeFailure(failure),
  });

  return stop(work, 'AI_UNAVAILABLE');
}

/** Returns the customer's messages that the reply answers together, without those it leaves out. */
function answeredMessages(
  { from, messageId }: ReplyWork,
  { history, answered }: ReplyScene,
): readonly Message[] {
  const first = from ?? messageId;
  const others = history.filter(
    ({ id, direction }) => direction === 'IN' && id >= first && id !== answered.id,
  );

  return [...others, answered].filter(isAnswerable);
}

/**
 * True if a newer message, whose own reply covers this one, has arrived, or if the conversation was
 * closed.
 */
function isOutOfDate({ way, replyId, sawUpTo }: ReplyWork, { source }: ReplyScene): boolean {
  return (
    source.status === 'CLOSED' ||
    source.lastInboundMessageId !== sawUpTo ||
    (way === 'reply' && source.replyToken !== replyId)
  );
}

/**
 * Returns the conversation that the stop reasons apply to. A private reply has the deadline of its
 * comment, and is also stopped if a person took over the comment's conversation.
 */
function conversationToAnswer(
  { way }: ReplyWork,
  { source, target, answered }: ReplyScene,
): Conversation {
  if (way === 'reply') {
    return target;
  }
  const windowExpiresAt = latestMoment(way, source, answered);

  return {
    ...target,
    ...(source.controller === 'HUMAN' ? { controller: 'HUMAN' } : {}),
    ...(windowExpiresAt ? { windowExpiresAt } : {}),
  };
}

async function sendComposed(
  work: ReplyWork,
  scene: ReplyScene,
  composed: ComposedReply,
  workKey: Key,
): Promise<WorkOutcome> {
  const { action, text, confidence, usage, isUnsafe } = composed;
  const isHandOver = action === 'HANDOFF';
  const { found, missing } = composed;
  const traced = tracedAnswer(work, scene, {
    templateId: work.template.id,
    ...usage,
    confidence,
    ...(found ? { passages: found.passages } : {}),
    ...(missing.length > 0 ? { missingVariables: missing } : {}),
  });
  if (isUnsafe && action !== 'IGNORE') {
    return withhold(work, traced, 'UNSAFE_ANSWER');
  }
  if (action === 'REPLY' && isDoubtful(scene, composed)) {
    return withhold(work, traced, 'LOW_CONFIDENCE', await gapOf(work, scene, composed));
  }
  if (action === 'IGNORE' || (isHandOver && work.way === 'privateReply')) {
    return isHandOver
      ? handOverPrivately(work, traced)
      : endWithoutReply(work, { ...traced, outcome: 'IGNORED' }, { next: answered });
  }

  return claimAndDeliver(work, scene, { text, isHandOver, confidence, usage }, traced, workKey);
}

function tracedAnswer(
  { replyId, campaignId }: ReplyWork,
  { answerer }: ReplyScene,
  written: Partial<TracedAnswer>,
): TracedAnswer {
  return {
    outcome: 'PLANNED',
    ...(campaignId ? { campaignId } : {}),
    ...(answerer.agentId ? { agentId: answerer.agentId } : {}),
    replyId,
    ...written,
  };
}

async function claimAndDeliver(
  work: ReplyWork,
  scene: ReplyScene,
  reply: WrittenReply,
  traced: TracedAnswer,
  workKey: Key,
): Promise<WorkOutcome> {
  try {
    const { message, conversation } = await claimReply(work, scene, reply, traced);
    const { answer: known } = message;
    if (!known) {
      return 'done';
    }
    const { account } = scene;

    return await deliverReply(
      { account, reply: { conversation, message: { ...message, answer: known } } },
      workKey,
    );
  } catch (failure) {
    return handleClaimFailure(work, reply, failure);
  }
}

async function handleClaimFailure(
  work: ReplyWork,
  { isHandOver }: WrittenReply,
  failure: unknown,
): Promise<WorkOutcome> {
  if (failure instanceof ReplyStoppedError) {
    return stop(work, failure.reason);
  }
  if (failure instanceof CreditsExhaustedError) {
    // Without credits there is no message to the customer, but people still take over.
    return stop(work, 'NO_CREDITS', isHandOver);
  }
  if (failure instanceof PrivateReplySentError) {
    return endWithoutReply(work, { outcome: 'SUPERSEDED' });
  }
  // A concurrent change affected what this reply was made from. Start over.
  if (failure instanceof ConditionNotMetError || failure instanceof MessageAlreadyRecordedError) {
    return 'unfinished';
  }
  throw failure;
}

async function stop(work: ReplyWork, reason: StopReason, isHandOver = false): Promise<'done'> {
  const goesToPeople = isHandOver || reason === 'AI_UNAVAILABLE' || reason === 'NO_TEXT';
  const stopped = (conversation: Conversation): Conversation =>
    conversation.controller === 'HUMAN'
      ? conversation
      : { ...(goesToPeople ? takenOver(conversation) : conversation), stopReason: reason };

  await endWithoutReply(
    work,
    { outcome: 'STOPPED', stopReason: reason },
    { next: stopped, handsOver: handoverReasonOf(reason) },
  );

  return afterStop(work, reason);
}

/** True if the knowledge does not cover the answer, or if the AI is less sure than it must be. */
function isDoubtful(
  { answerer }: ReplyScene,
  { isCovered = true, confidence }: ComposedReply,
): boolean {
  return !isCovered || confidence < (answerer.minConfidence ?? 0);
}

/** Returns the question that becomes a gap. An agent without knowledge has not embedded it yet. */
async function gapOf(
  { organizationId }: ReplyWork,
  { source, answerer }: ReplyScene,
  { question, found }: ComposedReply,
): Promise<AskedQuestion> {
  const vector = found?.vector ?? (await embedQuestion(organizationId, question));

  return { question, vector, conversationId: source.id, agentId: answerer.agentId };
}

/**
 * Gives the conversation to people instead of sending an answer. Takes over the comment of a private
 * answer too, which also stops the public one.
 */
function withhold(
  work: ReplyWork,
  traced: TracedAnswer,
  stopReason: 'UNSAFE_ANSWER' | 'LOW_CONFIDENCE',
  gap?: AskedQuestion,
): Promise<'done'> {
  return endWithoutReply(
    work,
    { ...traced, outcome: 'HANDED_OVER', stopReason },
    {
      next: (conversation) =>
        conversation.controller === 'HUMAN'
          ? conversation
          : { ...takenOver(conversation), stopReason },
      takesOver: work.way === 'privateReply',
      handsOver: stopReason,
      gap,
    },
  );
}

/** Gives the comment to people instead of answering it in private. */
function handOverPrivately(work: ReplyWork, traced: TracedAnswer): Promise<'done'> {
  const next = (conversation: Conversation) =>
    conversation.controller === 'HUMAN' ? conversation : takenOver(conversation);

  return endWithoutReply(
    work,
    { ...traced, outcome: 'HANDED_OVER' },
    { next, takesOver: true, handsOver: 'HANDOFF' },
  );
}

function unattended(conversation: Conversation): Conversation {
  return { ...conversation, isUnattended: true };
}

async function afterStop(
  { organizationId, conversationId }: ReplyWork,
  reason: StopReason | undefined,
): Promise<'done'> {
  if (reason === 'NO_CREDITS') {
    await refillWhenLow(organizationId);
  }
  if (reason === 'RATE_LIMITED') {
    await reportRateLimit(organizationId, conversationId);
  }

  return 'done';
}

/** Resumes after a crash that followed the end of the work. The recorded outcome stays. */
async function resumeEnded(work: ReplyWork): Promise<'done' | undefined> {
  const { organizationId, conversationId, messageId, way, replyId } = work;
  const entry = await get<TraceEntry>(keys.replyTrace(organizationId, conversationId, messageId));
  const traced = entry?.[way];
  const hasEnded = traced?.replyId === replyId && traced.outcome !== 'PLANNED';

  return hasEnded ? afterStop(work, traced.stopReason) : undefined;
}

type Ending = {
  readonly next?: (conversation: Conversation) => Conversation;
  /** Changes the conversation even if another reply is planned in it. */
  readonly takesOver?: boolean;
  /** Notifies people of the conversation, unless they have it already. */
  readonly handsOver?: HandoverReason | undefined;
  /** Recorded with the ending, so that it counts once. */
  readonly gap?: AskedQuestion | undefined;
};

/** Ends the work without a reply. A reply planned by a newer message is kept. */
function endWithoutReply(
  work: ReplyWork,
  traced: TracedAnswer,
  { next = (conversation) => conversation, takesOver = false, handsOver, gap }: Ending = {},
): Promise<'done'> {
  const { organizationId, conversationId, messageId, way, replyId } = work;
  const traceKey = keys.replyTrace(organizationId, conversationId, messageId);
  const outcome = planTraced(traceKey, way, { templateId: work.template.id, replyId, ...traced });

  return retryWhenOvertaken<'done'>('conversation', async () => {
    const before = await findConversation(organizationId, conversationId);
    const isOwn = before?.replyToken === replyId || (way === 'privateReply' && isOnlyWay(before));
    if (!before || !(isOwn || takesOver)) {
      await write(outcome);

      return 'done';
    }
    const { replyToken, replyDueAt, ...rest } = next(before);
    const kept = isOwn ? {} : { replyToken, replyDueAt };
    const after = { ...rest, ...definedFields(kept), updatedAt: timestamp() };
    const isHandedOver = handsOver && before.controller !== 'HUMAN';
    const [{ conversation, writes }, gapWrites] = await Promise.all([
      isHandedOver ? planHandOver(after, handsOver) : { conversation: after, writes: [] },
      gap ? planGap(organizationId, gap) : [],
    ]);
    await write(...planConversationChange(before, conversation), ...writes, ...gapWrites, outcome);

    return 'done';
  });
}

/** True if no public reply is planned or was sent, so that the customer depends on the private one. */
function isOnlyWay(conversation: Conversation | undefined): boolean {
  return conversation?.replyToken === undefined && conversation?.unansweredSince !== undefined;
}
