import { type ContentPost, keyOf } from '#lib/features/content/posts/post.ts';
import { taggedText } from '#lib/features/content/posts/tagged-text.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { allOf, below, type Condition, equals } from '#lib/platform/db/conditions.ts';
import { contentKeys } from '#lib/platform/db/keys/content.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { type Attributes, change, create, remove, type Write } from '#lib/platform/db/write.ts';
import { changeIfMet } from '#lib/platform/db/write-if-met.ts';
import type { PartStatus } from '#schemas/content.ts';
import type { Platform } from '#schemas/platforms.ts';
import { endOf, isFree, leased, OwnershipLostError } from './ownership.ts';

/**
 * The first comment of a published post, until its outcome is known. It is a separate item, so that
 * the post can be due for its metrics at the same time. It is due in the queues of posts.
 * - `ARMED`: the call may have been sent. `UNCONFIRMED`: it was sent, and the outcome is unknown.
 */
export type CommentTask = {
  readonly postId: string;
  readonly organizationId: string;
  readonly targetAccountId: string;
  readonly platform: Platform;
  readonly platformPostId: string;
  readonly text: string;
  readonly attempt: number;
  readonly leaseUntil?: string;
  readonly phase?: 'ARMED' | 'UNCONFIRMED';
  readonly armedAt?: string;
  /** Failed attempts that definitely sent nothing. */
  readonly tries: number;
  /** Number of checks at the network that did not find the comment. */
  readonly looks?: number;
  readonly duePk?: string;
  readonly dueAt?: string;
  readonly createdAt: string;
};

function hasPendingComment({ state, firstComment }: ContentPost): boolean {
  return state === 'PUBLISHED' && firstComment?.status === 'PENDING';
}

/** Returns the task of a post that was just published. The publisher owns it. */
export function newCommentTask(post: ContentPost): CommentTask | undefined {
  const { id, organizationId, targetAccountId, platform, platformPostId, firstComment } = post;
  if (firstComment === undefined || platformPostId === undefined || !hasPendingComment(post)) {
    return undefined;
  }

  return {
    postId: id,
    organizationId,
    targetAccountId,
    platform,
    platformPostId,
    text: taggedText(firstComment.text, post),
    attempt: 1,
    tries: 0,
    createdAt: timestamp(),
    ...leased(targetAccountId),
  };
}

export function planCommentTask(post: ContentPost): readonly Write[] {
  const task = newCommentTask(post);

  return task ? [create(taskKey(task), task)] : [];
}

function taskKey({ organizationId, postId }: CommentTask): Key {
  return contentKeys.firstComment(organizationId, postId);
}

/** Acquires a due comment. Returns `undefined` if it is not due or has an owner. */
export function claimDueComment(
  organizationId: string,
  accountId: string,
  postId: string,
): Promise<CommentTask | undefined> {
  const isDue = below('dueAt', endOf(timestamp()));

  return acquire(
    contentKeys.firstComment(organizationId, postId),
    accountId,
    allOf(isDue, isFree()),
  );
}

/** Acquires a comment with an unknown outcome, whether or not it is due. */
export function claimUnknownComment(post: ContentPost): Promise<CommentTask | undefined> {
  return acquire(
    contentKeys.firstComment(post.organizationId, post.id),
    post.targetAccountId,
    allOf(equals('phase', 'UNCONFIRMED'), isFree()),
  );
}

function acquire(key: Key, accountId: string, when: Condition): Promise<CommentTask | undefined> {
  return changeIfMet(change(key, { set: leased(accountId), add: { attempt: 1 }, when }));
}

/** A write that only the task's current owner can make. */
export function planTaskChange(task: CommentTask, set: Attributes): Write {
  return change(taskKey(task), {
    set,
    when: equals('attempt', task.attempt),
    onConditionFailed: () => new OwnershipLostError(task.postId),
  });
}

/** Removes the task, because the outcome is known. */
export function planTaskEnd(task: CommentTask): Write {
  return remove(taskKey(task), {
    when: equals('attempt', task.attempt),
    onConditionFailed: () => new OwnershipLostError(task.postId),
  });
}

/** Stores the state of the comment with its post. */
export function planCommentState(
  post: Pick<ContentPost, 'organizationId' | 'id' | 'firstComment'>,
  status: PartStatus,
  platformCommentId?: string,
): Write {
  const text = post.firstComment?.text ?? '';
  const firstComment = {
    text,
    status,
    ...(platformCommentId === undefined ? {} : { platformCommentId }),
  };

  return change(keyOf(post), {
    set: { firstComment, updatedAt: timestamp() },
    when: equals('state', 'PUBLISHED'),
    onConditionFailed: () => new OwnershipLostError(post.id),
  });
}
