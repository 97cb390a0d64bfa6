import type { Conversation, Message } from '#lib/features/conversations/conversation.ts';
import {
  findConversation,
  requireConversation,
} from '#lib/features/conversations/conversations.ts';
import {
  planMessageChange,
  withdrawn,
} from '#lib/features/conversations/messages/message-changes.ts';
import {
  findSocialAccount,
  requireSocialAccount,
  type SocialAccount,
} from '#lib/features/social/accounts/accounts.ts';
import { withMessagingToken } from '#lib/features/social/tokens/fresh-credentials.ts';
import { dayMs, minuteMs, now, secondMs, timestamp } from '#lib/platform/clock.ts';
import { absent, allOf, unchanged } from '#lib/platform/db/conditions.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { get } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import {
  applied,
  change,
  discard,
  type ExtraWrites,
  type Write,
  write,
} from '#lib/platform/db/write.ts';
import { badRequest, overtaken, requireFound, wrongState } from '#lib/platform/errors/failures.ts';
import { planOrganizationEvent } from '#lib/platform/webhooks/organization-events.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import type { WorkOutcome, WorkRequest } from '#lib/platform/work/worker.ts';
import { commentCapability, requireCapability } from '#lib/vendors/networks/capabilities.ts';
import type { CommentAction } from '#lib/vendors/networks/network.ts';
import { asApiError, NetworkError } from '#lib/vendors/networks/network-error.ts';
import { commentActionsOf } from '#lib/vendors/networks/ports/comment-actions.ts';

/** Longer than any function that acts on a comment can run. */
const lostAfterMs = minuteMs;
/** How long a moderation rule's action is retried. */
const giveUpAfterMs = dayMs;
const shortestWaitMs = 10 * secondMs;
const longestWaitMs = 15 * minuteMs;

type Place = { readonly conversationId: string; readonly messageId: string };

/**
 * Performs an action on a customer's comment at its network, and records the result. The intent is
 * stored first, with work that repeats the action if this process crashes, because all actions can
 * be repeated.
 *
 * @throws 404; 400 if the message is not a comment or the network lacks the capability; 409 if the
 * comment was deleted or another action is in progress; 401, 403 and 502 for network failures.
 */
export async function actOnComment(
  organizationId: string,
  place: Place,
  action: CommentAction,
  extraWrites: ExtraWrites<Message>,
): Promise<Message> {
  const conversation = await requireConversation(organizationId, place.conversationId);
  const begun = await begin(conversation, place.messageId, action);
  if (!begun.workKey) {
    return begun.message;
  }
  const done = [discard(begun.workKey)];
  try {
    const account = await requireSocialAccount(organizationId, conversation.socialAccountId);
    await callNetwork(account, begun.message, action);
  } catch (failure) {
    if (failure instanceof NetworkError) {
      await abandon(organizationId, place, action, done);
      throw asApiError(failure);
    }
    throw failure;
  }

  return record(organizationId, place, action, async (message) => [
    ...(await extraWrites(message)),
    ...done,
  ]);
}

type Begun = {
  readonly message: Message;
  /** Absent if there is nothing to do. */
  readonly workKey?: Key;
};

function begin(
  { organizationId, id: conversationId, platform }: Conversation,
  messageId: string,
  action: CommentAction,
): Promise<Begun> {
  const key = socialKeys.conversationMessage(organizationId, conversationId, messageId);

  return retryWhenOvertaken('message', async () => {
    const message = requireFound(await get<Message>(key), 'Message');
    const capability = commentCapability(action);
    if (!isComment(message)) {
      throw badRequest(`${capability} needs a comment of a customer`);
    }
    requireCapability(platform, capability);
    if (message.deletedAt) {
      throw wrongState('The comment was deleted', 'DELETED');
    }
    if (isDone(message, action)) {
      return { message };
    }
    const { pendingAction } = message;
    if (pendingAction && pendingAction.action !== action) {
      throw overtaken('Another action on this comment is in progress. Try again');
    }
    const work = planWork('messageOutcome', {
      owner: socialKeys.conversation(organizationId, conversationId),
      payload: { organizationId, conversationId, messageId, action },
      sweepAfterMs: lostAfterMs,
      leaveToSweep: true,
    });
    const set = { pendingAction: pendingAction ?? { action, since: timestamp() } };
    await write(change(key, { set, when: asRead(message) }), work);

    return { message, workKey: work.key };
  });
}

function isComment({ direction, type, networkMessageId }: Message): boolean {
  return direction === 'IN' && type === 'comment' && networkMessageId !== undefined;
}

/** True if the action would change nothing. */
function isDone(
  { isHidden = false, isLiked = false, deletedAt }: Message,
  action: CommentAction,
): boolean {
  const states: Readonly<Record<CommentAction, boolean>> = {
    hide: isHidden,
    unhide: !isHidden,
    like: isLiked,
    unlike: !isLiked,
    delete: deletedAt !== undefined,
  };

  return states[action];
}

function asRead({ pendingAction }: Message) {
  return allOf(absent('deletedAt'), unchanged('pendingAction', pendingAction));
}

/** If the comment no longer exists, deleting it or removing a like succeeds without a call. */
async function callNetwork(
  account: SocialAccount,
  { networkMessageId: commentId = '', platformPostId }: Message,
  action: CommentAction,
): Promise<void> {
  try {
    await withMessagingToken(account, (credentials) =>
      commentActionsOf(account.platform).actOnComment(credentials, action, {
        commentId,
        platformPostId,
      }),
    );
  } catch (failure) {
    const isGone = failure instanceof NetworkError && failure.kind === 'notFound';
    if (!(isGone && (action === 'delete' || action === 'unlike'))) {
      throw failure;
    }
  }
}

/** Removes the intent. The intent of a moderation rule is kept, because its work retries it. */
function abandon(
  organizationId: string,
  { conversationId, messageId }: Place,
  action: CommentAction,
  extraWrites: readonly Write[],
): Promise<void> {
  const key = socialKeys.conversationMessage(organizationId, conversationId, messageId);

  return retryWhenOvertaken('message', async () => {
    const message = await get<Message>(key);
    const { pendingAction } = message ?? {};
    const isOwn = pendingAction?.action === action && !pendingAction.isByRule;
    await write(
      ...(message && isOwn
        ? [change(key, { set: { pendingAction: null }, when: asRead(message) })]
        : []),
      ...extraWrites,
    );
  });
}

/** Records that the network has performed the action. The first record sends the event. */
function record(
  organizationId: string,
  { conversationId, messageId }: Place,
  action: CommentAction,
  extraWrites: ExtraWrites<Message>,
): Promise<Message> {
  const key = socialKeys.conversationMessage(organizationId, conversationId, messageId);

  return retryWhenOvertaken('message', async () => {
    const conversation = await requireConversation(organizationId, conversationId);
    const message = requireFound(await get<Message>(key), 'Message');
    if (message.deletedAt || isDone(message, action)) {
      await write(...(await extraWrites(message)));

      return message;
    }
    const after = afterAction(message, action);
    await write(
      ...(await extraWrites(after)),
      ...(await planMessageChange(conversation, message, after)),
      ...(action === 'hide' ? await planHidden(conversation, message) : []),
    );

    return after;
  });
}

function afterAction(message: Message, action: CommentAction): Message {
  if (action === 'delete') {
    return withdrawn(message, timestamp());
  }
  const isOwn = message.pendingAction?.action === action;

  return applied(message, { ...results[action], ...(isOwn ? { pendingAction: null } : {}) });
}

const results = {
  hide: { isHidden: true },
  unhide: { isHidden: null },
  like: { isLiked: true },
  unlike: { isLiked: null },
} as const satisfies Record<Exclude<CommentAction, 'delete'>, object>;

/**
 * Plans the event of a hidden comment. If a moderation rule hid it, also plans the rule's count and
 * the trace.
 */
async function planHidden(
  { organizationId, socialAccountId }: Conversation,
  { conversationId, id: messageId, pendingAction, moderationRule }: Message,
): Promise<readonly Write[]> {
  const rule = pendingAction?.isByRule ? moderationRule : undefined;
  const ruleKey = rule && organizationKeys.record(organizationId, 'MODERATION_RULE', rule.id);
  const [event, known] = await Promise.all([
    planOrganizationEvent(organizationId, {
      type: 'comment.hidden',
      data: {
        conversationId,
        messageId,
        socialAccountId,
        moderationRule: rule ?? null,
      },
    }),
    ruleKey && get(ruleKey),
  ]);

  return [
    ...event,
    ...(ruleKey && known ? [change(ruleKey, { add: { hiddenCount: 1 } })] : []),
    ...(rule ? [planModerated(organizationId, conversationId, messageId, 'HIDDEN')] : []),
  ];
}

function planModerated(
  organizationId: string,
  conversationId: string,
  messageId: string,
  moderation: 'HIDDEN' | 'FAILED',
): Write {
  return change(socialKeys.replyTrace(organizationId, conversationId, messageId), {
    set: { moderation, updatedAt: timestamp() },
    orCreate: true,
  });
}

type Repeated = WorkRequest<'messageOutcome'>['payload'] & { readonly action: CommentAction };

/**
 * Performs the action of a moderation rule, or repeats the action of a crashed process. Retries for
 * a day while the network is unavailable.
 */
export async function repeatAction({
  organizationId,
  conversationId,
  messageId,
  action,
}: Repeated): Promise<WorkOutcome> {
  const [conversation, message] = await Promise.all([
    findConversation(organizationId, conversationId),
    get<Message>(socialKeys.conversationMessage(organizationId, conversationId, messageId)),
  ]);
  const { pendingAction } = message ?? {};
  if (!conversation || !message || message.deletedAt || pendingAction?.action !== action) {
    return 'done';
  }
  const account = await findSocialAccount(organizationId, conversation.socialAccountId);
  const place = { conversationId, messageId };
  try {
    if (account) {
      await callNetwork(account, message, action);
      await record(organizationId, place, action, async () => []);

      return 'done';
    }
  } catch (failure) {
    if (!(failure instanceof NetworkError)) {
      throw failure;
    }
    const againInMs = waitAfter(failure, pendingAction.since);
    if (againInMs !== undefined) {
      return { againInMs };
    }
  }
  await giveUp(organizationId, place, action);

  return 'done';
}

/**
 * Returns the delay before a retry, which equals the time since the action was planned. `undefined`
 * if a retry is useless.
 */
function waitAfter(failure: NetworkError, since: string): number | undefined {
  const pendingMs = now() - Date.parse(since);
  const isPassing = failure.isTransient || !failure.isSafeToRetry;
  if (!isPassing || pendingMs > giveUpAfterMs) {
    return undefined;
  }
  const wantedMs = Math.max(failure.retryAfterMs ?? 0, pendingMs, shortestWaitMs);

  return Math.min(wantedMs, longestWaitMs);
}

function giveUp(
  organizationId: string,
  { conversationId, messageId }: Place,
  action: CommentAction,
): Promise<void> {
  const key = socialKeys.conversationMessage(organizationId, conversationId, messageId);

  return retryWhenOvertaken('message', async () => {
    const message = await get<Message>(key);
    if (message?.pendingAction?.action !== action) {
      return;
    }
    await write(
      change(key, { set: { pendingAction: null }, when: unchangedAction(message) }),
      ...(message.pendingAction.isByRule
        ? [planModerated(organizationId, conversationId, messageId, 'FAILED')]
        : []),
    );
  });
}

function unchangedAction({ pendingAction }: Message) {
  return unchanged('pendingAction', pendingAction);
}
