import {
  type Conversation,
  isAnswerable,
  isShown,
  type Message,
} from '#lib/features/conversations/conversation.ts';
import {
  listLatestMessages,
  planConversationChange,
} from '#lib/features/conversations/conversations.ts';
import {
  isUnanswered,
  isUnread,
  lastMessageOf,
  notWaiting,
} from '#lib/features/conversations/waiting.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { changedFields } from '#lib/platform/db/changes-something.ts';
import { absent, allOf, unchanged } from '#lib/platform/db/conditions.ts';
import { socialKeys, socialRanges } from '#lib/platform/db/keys/social.ts';
import { query } from '#lib/platform/db/read.ts';
import { change, discard, type Write } from '#lib/platform/db/write.ts';
import { firstIdAt, timeOfId } from '#lib/platform/ids.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import { capabilities } from '#lib/vendors/networks/capabilities.ts';
import { planCopies } from './attachments.ts';
import { planRecentText, recentTextKey } from './recent-texts.ts';

/**
 * Returns a message without its content, after its sender withdrew it or it was deleted at the
 * network.
 */
export function withdrawn(message: Message, deletedAt: string): Message {
  const { attachments: _, buttons: __, pendingAction: ___, ...rest } = message;

  return { ...rest, text: '', deletedAt };
}

/**
 * Plans a change of a message. If its text changes or it is withdrawn or hidden, all copies change,
 * too. Fails with a conflict if the conversation or the message has changed since they were read.
 */
export async function planMessageChange(
  conversation: Conversation,
  before: Message,
  after: Message,
): Promise<readonly Write[]> {
  const { organizationId, id, messageChanges = 0 } = conversation;
  const isReworded = before.text !== after.text || before.attachments !== after.attachments;
  const changeOfMessage = change(socialKeys.conversationMessage(organizationId, id, before.id), {
    set: changedFields(before, after),
    when: isAsRead(before),
  });
  if (!isReworded && !isGone({ before, after })) {
    return [changeOfMessage];
  }
  const changed: Conversation = {
    ...(await withMessages(conversation, [{ before, after }])),
    messageChanges: messageChanges + 1,
    updatedAt: timestamp(),
  };

  return [
    changeOfMessage,
    ...planConversationChange(conversation, changed),
    ...(isReworded ? planCopyOfText(organizationId, after) : []),
    ...(isReworded ? [planCopies(organizationId, after)] : []),
    ...(isAnswerable(before) && !isAnswerable(after) ? planOtherAnswer(changed, before) : []),
  ];
}

function isAsRead({ text, isHidden, pendingAction }: Message) {
  return allOf(
    absent('deletedAt'),
    unchanged('text', text),
    unchanged('isHidden', isHidden),
    unchanged('pendingAction', pendingAction),
  );
}

function planCopyOfText(organizationId: string, message: Message): readonly Write[] {
  if (message.direction === 'OUT') {
    return [];
  }

  return [
    message.text.trim() === ''
      ? discard(recentTextKey(organizationId, message.id))
      : planRecentText(organizationId, message),
  ];
}

/** The latest message interrupted the answer to the earlier ones. They are still answered. */
function planOtherAnswer(
  { organizationId, id, controller, unansweredSince, lastInboundMessageId }: Conversation,
  { id: messageId }: Message,
): readonly Write[] {
  const isInterrupted =
    controller === 'BOT' && unansweredSince !== undefined && lastInboundMessageId === messageId;

  return isInterrupted
    ? [
        planWork('replyPlanning', {
          owner: socialKeys.conversation(organizationId, id),
          payload: { organizationId, conversationId: id, messageId },
          group: id,
        }),
      ]
    : [];
}

/** A message before and after a change. `after` is undefined if it is removed. */
export type ChangedMessage = { readonly before: Message; readonly after: Message | undefined };

function isGone({ before, after }: ChangedMessage): boolean {
  return isShown(before) && !(after && isShown(after));
}

/** If more of the latest messages were withdrawn, the conversation shows none. */
const messagesChecked = 50;

/**
 * Returns the conversation after some of its messages changed. It shows the current latest message,
 * counts only remaining messages, and answers and waits only for these.
 */
export async function withMessages(
  conversation: Conversation,
  changes: readonly ChangedMessage[],
): Promise<Conversation> {
  const gone = changes.filter(isGone).map(({ before }) => before);
  const isLast = changes.some(({ before }) => isLastMessage(conversation, before));
  const latest =
    isLast || (gone.length > 0 && conversation.replyToken !== undefined)
      ? await readLatest(conversation, changes)
      : undefined;
  const counted = withoutUnread(await withoutWaiting(conversation, gone), gone);
  if (!latest) {
    return counted;
  }

  return withoutPlan(isLast ? showing(counted, latest) : counted, gone, latest);
}

/** `lastMessage` has no id. If another message has the same time, the result is the same. */
export function isLastMessage(
  { lastMessage }: Pick<Conversation, 'lastMessage'>,
  { createdAt, direction, author }: Message,
): boolean {
  return (
    lastMessage?.createdAt === createdAt &&
    lastMessage.direction === direction &&
    lastMessage.author === author
  );
}

async function readLatest(
  { organizationId, id }: Conversation,
  changes: readonly ChangedMessage[],
): Promise<readonly Message[]> {
  const after = new Map(changes.map((one) => [one.before.id, one.after]));
  const stored = await listLatestMessages(organizationId, id, messagesChecked);

  return stored.flatMap((message) =>
    after.has(message.id) ? (after.get(message.id) ?? []) : [message],
  );
}

function showing(conversation: Conversation, latest: readonly Message[]): Conversation {
  const { lastMessage: _, ...rest } = conversation;
  const message = latest
    .filter(({ deletedAt }) => deletedAt === undefined)
    .toSorted((one, other) => one.createdAt.localeCompare(other.createdAt))
    .at(-1);

  return {
    ...rest,
    rank: Date.parse(message?.createdAt ?? conversation.createdAt),
    ...(message ? { lastMessage: lastMessageOf(message) } : {}),
  };
}

function withoutUnread(conversation: Conversation, gone: readonly Message[]): Conversation {
  const { unreadCount = 0, unansweredReason: _, ...others } = conversation;
  const unread = gone.filter((message) => isUnread(conversation, message)).length;
  if (unread === 0 || unreadCount === 0) {
    return conversation;
  }

  return unread < unreadCount
    ? { ...conversation, unreadCount: unreadCount - unread }
    : { ...others, unreadCount: 0 };
}

/** The customer now waits for the oldest of the other unanswered messages, if there is one. */
export async function withoutWaiting(
  conversation: Conversation,
  gone: readonly Message[],
): Promise<Conversation> {
  const waited = gone.find(
    ({ direction, createdAt }) => direction === 'IN' && createdAt === conversation.unansweredSince,
  );
  if (!waited) {
    return conversation;
  }
  const since = await findUnansweredSince(conversation, timeOfId(waited.id), gone);

  return since ? { ...conversation, unansweredSince: since } : notWaiting(conversation);
}

/** A comment that a moderation rule hides does not wait, even before it is hidden. */
function isWaitingFor(conversation: Conversation, message: Message): boolean {
  const { supports } = capabilities[conversation.platform];

  return (
    isUnanswered(conversation, message) &&
    (supports.hideComment ? isAnswerable(message) : isShown(message))
  );
}

const pageSize = 50;

/**
 * Returns the time of the oldest unanswered message since the given time. Message ids contain the
 * network's time, so the first page nearly always contains it.
 */
export async function findUnansweredSince(
  conversation: Conversation,
  sinceMs: number,
  gone: readonly Message[] = [],
): Promise<string | undefined> {
  const { organizationId, id } = conversation;
  const range = socialRanges.messagesBetween(organizationId, id, { first: firstIdAt(sinceMs) });
  const goneIds = new Set(gone.map((message) => message.id));
  let after: string | undefined;
  for (;;) {
    const page = await query<Message>(range, { limit: pageSize, ...(after ? { after } : {}) });
    const found = page.find(
      (message) => isWaitingFor(conversation, message) && !goneIds.has(message.id),
    );
    after = page.at(-1)?.sk;
    if (found || page.length < pageSize) {
      return found?.createdAt;
    }
  }
}

/** Drops a planned reply that has nothing left to answer. */
function withoutPlan(
  conversation: Conversation,
  gone: readonly Message[],
  latest: readonly Message[],
): Conversation {
  const { replyToken, replyDueAt, replyFrom = '', ...rest } = conversation;
  const isCovered = gone.some(({ direction, id }) => direction === 'IN' && id >= replyFrom);
  const isLeft = latest.some(
    (message) => message.direction === 'IN' && message.id >= replyFrom && isAnswerable(message),
  );

  return replyToken === undefined || !isCovered || isLeft ? conversation : rest;
}
