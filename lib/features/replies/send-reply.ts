import { takeAiCall } from '#lib/features/ai/ai-budget.ts';
import { isPromptTooLong } from '#lib/features/ai/prompt.ts';
import { refillWhenLow } from '#lib/features/billing/refills/start-refill.ts';
import {
  type Conversation,
  isAnswerable,
  type Message,
} from '#lib/features/conversations/conversation.ts';
import {
  findConversation,
  planConversationChange,
} from '#lib/features/conversations/conversations.ts';
import { embedQuestion } from '#lib/features/knowledge/find-passages.ts';
import { type AskedQuestion, planGap } from '#lib/features/knowledge/gaps.ts';
import { minuteMs, secondMs, timestamp } from '#lib/platform/clock.ts';
import { definedFields } from '#lib/platform/compact.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { get } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { write } from '#lib/platform/db/write.ts';
import { ApiError } from '#lib/platform/errors/failures.ts';
import { describeFailure } from '#lib/platform/log/logger.ts';
import { logAlarmingError } from '#lib/platform/metrics/embedded-metrics.ts';
import type { WorkOutcome } from '#lib/platform/work/worker.ts';
import type { StopReason } from '#schemas/conversation-reasons.ts';
import { type Answer, latestMoment, traceOf } from './claim-answer.ts';
import { type ComposedReply, composeReply, planFixedAnswer, promptOf } from './compose-reply.ts';
import { type NoReplyCause, planNoReply } from './no-reply.ts';
import {
  type ReplyContext,
  type ReplyWork,
  readReplyContext,
  stopReasonOf,
} from './reply-context.ts';
import { reportRateLimit } from './report-rate-limit.ts';
import { finishClaimed, sendAnswer } from './send-answer.ts';
import { countTry } from './send-once.ts';
import { messageGone, planTraced, type TracedAnswer, type TraceEntry } from './trace.ts';

/** Delays between failed AI calls. After the last one, people take over. */
const aiWaitsMs = [2 * secondMs, 10 * secondMs, 30 * secondMs, 2 * minuteMs];

/**
 * Generates a reply with the AI service and sends it. Idempotent after a crash at any point: a
 * claimed reply is finished, and nothing is sent twice.
 */
export async function sendReply(key: Key, planned: ReplyWork): Promise<WorkOutcome> {
  const finished = await finishClaimed(planned, key);
  if (finished) {
    return finished;
  }
  const context = await readReplyContext(planned);
  if (!context) {
    const detail = 'Something the reply depends on was deleted';

    return (
      (await resumeEnded(planned)) ??
      endWithoutReply(planned, { outcome: 'NOBODY', detail }, { cause: 'NO_AGENT' })
    );
  }
  const work: ReplyWork = { ...planned, template: context.named };
  if (isOutOfDate(work, context)) {
    return (await resumeEnded(work)) ?? endWithoutReply(work, { outcome: 'SUPERSEDED' });
  }
  const conversation = conversationToAnswer(work, context);
  const answered = answeredMessages(work, context);
  if (!isAnswerable(context.answered)) {
    const detail = messageGone;

    return (await resumeEnded(work)) ?? endWithoutReply(work, { outcome: 'SUPERSEDED', detail });
  }
  const { fixed } = context.responder;
  const reason = reasonToStop(context, conversation, answered);
  if (reason) {
    return (await resumeEnded(work)) ?? stop(work, reason, reason === 'NO_TEXT');
  }

  return fixed
    ? send(work, context, await planFixedAnswer(context, fixed), key)
    : composeAndSend(work, context, answered, key);
}

/**
 * Returns the reason why the agent does not answer the messages. A private message without text
 * goes to people, whatever else stops the agent.
 */
function reasonToStop(
  context: ReplyContext,
  conversation: Conversation,
  answered: readonly Message[],
): StopReason | undefined {
  const { responder, source } = context;
  const reason = stopReasonOf(responder, { ...context, conversation });
  const isTextless = answered.every(({ text }) => text.trim() === '');
  const isLeftAlone = context.isSuspended || reason === 'OPTED_OUT' || reason === 'HUMAN_TAKEOVER';
  if (responder.fixed || isLeftAlone || (reason && !(isTextless && isPrivate(source)))) {
    return reason;
  }
  if (isTextless) {
    return 'NO_TEXT';
  }

  return isPromptTooLong(promptOf(context)) ? 'PROMPT_TOO_LONG' : undefined;
}

function isPrivate({ channel }: Conversation): boolean {
  return channel === 'DIRECT_MESSAGE';
}

async function composeAndSend(
  work: ReplyWork,
  context: ReplyContext,
  answered: readonly Message[],
  key: Key,
): Promise<WorkOutcome> {
  if (!(await takeAiCall(work.organizationId))) {
    return stop(work, 'AI_UNAVAILABLE');
  }
  try {
    const composed = await composeReply(context, answered);

    return await sendComposed(work, context, composed, key);
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

/**
 * Returns the customer's messages that the reply answers together. Omits messages that need no
 * answer.
 */
function answeredMessages(
  { from, messageId }: ReplyWork,
  { history, answered }: ReplyContext,
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
function isOutOfDate({ way, replyId, sawUpTo }: ReplyWork, { source }: ReplyContext): boolean {
  return (
    source.status === 'CLOSED' ||
    source.lastInboundMessageId !== sawUpTo ||
    (way === 'reply' && source.replyToken !== replyId)
  );
}

/**
 * Returns the conversation to which the stop reasons apply. A private reply has the deadline of its
 * comment, and is also stopped if a person took over the comment's conversation.
 */
function conversationToAnswer(
  { way }: ReplyWork,
  { source, target, answered }: ReplyContext,
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
  context: ReplyContext,
  composed: ComposedReply,
  workKey: Key,
): Promise<WorkOutcome> {
  const { action, text, confidence, usage, isUnsafe, found, missing } = composed;
  const isHandOver = action === 'HANDOFF';
  const trace = {
    templateId: work.template.id,
    ...usage,
    confidence,
    ...(found ? { passages: found.passages } : {}),
    ...(missing.length > 0 ? { missingVariables: missing } : {}),
  };
  const answer = { text, isHandOver, confidence, usage, trace };
  const traced = traceOf(work, context, answer);
  if (isUnsafe && action !== 'IGNORE') {
    return withhold(work, traced, 'UNSAFE_ANSWER');
  }
  if (action === 'REPLY' && isDoubtful(context, composed)) {
    const gap = await gapOf(work, context, composed);

    return withhold(work, traced, 'LOW_CONFIDENCE', { gap, askedIn: context.source });
  }
  if (action === 'IGNORE' || (isHandOver && work.way === 'privateReply')) {
    return isHandOver
      ? handOverPrivately(work, traced)
      : endWithoutReply(work, { ...traced, outcome: 'IGNORED' }, { cause: 'IGNORED' });
  }

  return send(work, context, answer, workKey);
}

function send(
  work: ReplyWork,
  context: ReplyContext,
  answer: Answer,
  workKey: Key,
): Promise<WorkOutcome> {
  // Without credits, no message is sent to the customer, but people still take over.
  const onStopped = (reason: StopReason | undefined) =>
    reason
      ? stop(work, reason, reason === 'NO_CREDITS' && answer.isHandOver)
      : endWithoutReply(work, { outcome: 'SUPERSEDED' });

  return sendAnswer({ work, context, answer, onStopped }, workKey);
}

async function stop(work: ReplyWork, cause: StopReason, isTakenOver = false): Promise<'done'> {
  await endWithoutReply(work, { outcome: 'STOPPED', stopReason: cause }, { cause, isTakenOver });

  return afterStop(work, cause);
}

/** True if the knowledge does not cover the answer, or if the AI's confidence is too low. */
function isDoubtful(
  { responder }: ReplyContext,
  { isCovered = true, confidence }: ComposedReply,
): boolean {
  return !isCovered || confidence < (responder.minConfidence ?? 0);
}

/**
 * Returns the question that becomes a gap. If the agent has no knowledge, embeds the question
 * first.
 */
async function gapOf(
  work: ReplyWork,
  context: ReplyContext,
  { question, found }: ComposedReply,
): Promise<AskedQuestion> {
  const { source, responder } = context;
  const vector = found?.vector ?? (await embedQuestion(work.organizationId, question));
  const messages = answeredMessages(work, context);

  return { question, vector, conversationId: source.id, messages, agentId: responder.agentId };
}

/**
 * Gives the conversation to people instead of sending an answer. For a private answer, also takes
 * over the comment, which stops the public answer.
 */
function withhold(
  work: ReplyWork,
  traced: TracedAnswer,
  stopReason: 'UNSAFE_ANSWER' | 'LOW_CONFIDENCE',
  question: Pick<Ending, 'gap' | 'askedIn'> = {},
): Promise<WorkOutcome> {
  return endWithoutReply(
    work,
    { ...traced, outcome: 'HANDED_OVER', stopReason },
    { cause: stopReason, isForced: work.way === 'privateReply', ...question },
  );
}

/** Gives the comment to people instead of answering it in private. */
function handOverPrivately(work: ReplyWork, traced: TracedAnswer): Promise<WorkOutcome> {
  return endWithoutReply(
    work,
    { ...traced, outcome: 'HANDED_OVER' },
    { cause: 'HANDOFF', isForced: true },
  );
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

/** Resumes after a crash that followed the end of the work. Keeps the recorded outcome. */
async function resumeEnded(work: ReplyWork): Promise<'done' | undefined> {
  const { organizationId, conversationId, messageId, way, replyId } = work;
  const entry = await get<TraceEntry>(
    socialKeys.replyTrace(organizationId, conversationId, messageId),
  );
  const traced = entry?.[way];
  const hasEnded = traced?.replyId === replyId && traced.outcome !== 'PLANNED';

  return hasEnded ? afterStop(work, traced.stopReason) : undefined;
}

type Ending = {
  /** The reason why nobody answers. Absent if another reply answers. */
  readonly cause?: NoReplyCause;
  /** True if the agent leaves the conversation to people, whatever the cause. */
  readonly isTakenOver?: boolean;
  /** Changes the conversation even if another reply is planned in it. */
  readonly isForced?: boolean;
  /** Recorded together with the end, so that it counts once. */
  readonly gap?: AskedQuestion;
  /** The conversation at the time when the gap's messages were read. */
  readonly askedIn?: Conversation;
};

/**
 * Ends the work without a reply. Keeps a reply that a newer message has planned. Returns
 * `unfinished` if the messages of a gap have changed since.
 */
function endWithoutReply(
  work: ReplyWork,
  traced: TracedAnswer,
  { cause, isTakenOver = false, isForced = false, gap, askedIn }: Ending = {},
): Promise<WorkOutcome> {
  const { organizationId, conversationId, messageId, way, replyId } = work;
  const traceKey = socialKeys.replyTrace(organizationId, conversationId, messageId);
  const outcome = planTraced(traceKey, way, { templateId: work.template.id, replyId, ...traced });

  return retryWhenOvertaken<WorkOutcome>('conversation', async () => {
    const before = await findConversation(organizationId, conversationId);
    const isOwn =
      before?.replyToken === replyId || (way === 'privateReply' && hasNoOtherAnswer(before));
    if (!before || !(isOwn || isForced)) {
      await write(outcome);

      return 'done';
    }
    if (askedIn && before.messageChanges !== askedIn.messageChanges) {
      return 'unfinished';
    }
    const { replyToken, replyDueAt, ...rest } = before;
    const kept = isOwn ? {} : { replyToken, replyDueAt };
    const ended = { ...rest, ...definedFields(kept), updatedAt: timestamp() };
    const [{ conversation, writes }, gapWrites] = await Promise.all([
      cause ? planNoReply(ended, cause, isTakenOver) : { conversation: ended, writes: [] },
      gap ? planGap(organizationId, gap) : [],
    ]);
    await write(...planConversationChange(before, conversation), ...writes, ...gapWrites, outcome);

    return 'done';
  });
}

/** True if no public reply is planned or was sent, so the customer only gets the private one. */
function hasNoOtherAnswer(conversation: Conversation | undefined): boolean {
  return conversation?.replyToken === undefined && conversation?.unansweredSince !== undefined;
}
