import { type ContentPost, keyOf } from '#lib/features/content/posts/post.ts';
import { minuteMs, secondMs, timestamp } from '#lib/platform/clock.ts';
import {
  absent,
  allOf,
  below,
  type Condition,
  either,
  equals,
  present,
} from '#lib/platform/db/conditions.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { dueIn } from '#lib/platform/db/lists/shards.ts';
import { type Attributes, change, type Write, write } from '#lib/platform/db/write.ts';
import { changeIfMet } from '#lib/platform/db/write-if-met.ts';
import { repeatedly } from '#lib/platform/work/repeatedly.ts';

/**
 * An owner whose lease expires counts as crashed. The lease is longer than any call except uploads.
 * Owners renew it every few seconds, so it also covers uploads.
 */
export const leaseMs = 20 * secondMs;
const renewIntervalMs = 5 * secondMs;

/** Another process owns the post now. Writes of the former owner are rejected. */
export class OwnershipLostError extends Error {
  constructor(postId: string) {
    super(`Another publisher has taken the post ${postId}`);
    this.name = 'OwnershipLostError';
  }
}

/**
 * Returns a post's `dueAt`: its due time, followed by its account. So the index returns due work by
 * account without reading the posts.
 */
export function dueAtOf(moment: string, accountId: string): string {
  return `${moment}#${accountId}`;
}

export function momentOfDue(dueAt: string): string {
  return dueAt.slice(0, dueAt.indexOf('#'));
}

export function accountOfDue(dueAt: string): string {
  return dueAt.slice(dueAt.indexOf('#') + 1);
}

/** Attributes of a post that is due to be published, or to be checked at the network. */
export function duePublication(at: string, post: Pick<ContentPost, 'id' | 'targetAccountId'>) {
  return dueIn('PUBLISH', dueAtOf(at, post.targetAccountId), post.id);
}

/** Sorts after everything that is due at that time, because `~` is greater than any account id. */
export function endOf(moment: string): string {
  return `${moment}~`;
}

/** True if the post has no owner, or its owner's lease has expired. */
export function isFree(): Condition {
  return either(absent('leaseUntil'), below('leaseUntil', timestamp()));
}

/**
 * Attributes of a post that has an owner. Owned posts are in a separate queue, so that the
 * scheduled job can find leases that are about to expire.
 */
export function leased(accountId: string) {
  const leaseUntil = timestamp(leaseMs);

  return { leaseUntil, ...dueIn('PUBLISHING', dueAtOf(leaseUntil, accountId)) };
}

/**
 * Acquires a due post with one conditional write, so that only one publisher gets it. The returned
 * post has the current content. Returns `undefined` if it is no longer due or has an owner.
 */
export function claimDuePost(key: Key, accountId: string): Promise<ContentPost | undefined> {
  const isDue = below('dueAt', endOf(timestamp()));

  return acquire(key, accountId, allOf(isDue, isFree()));
}

/** Acquires a post with an unknown outcome, whether or not it is due. */
export function claimUnconfirmedPost(post: ContentPost): Promise<ContentPost | undefined> {
  return acquire(
    keyOf(post),
    post.targetAccountId,
    allOf(equals('phase', 'UNCONFIRMED'), isFree()),
  );
}

/** Longer than any request. */
const requestLeaseMs = minuteMs;

/**
 * Locks a partly published thread so that no other worker publishes its next part. Does not change
 * when it is due, because the post may be FAILED.
 */
export function claimBegunPost(post: ContentPost): Promise<ContentPost | undefined> {
  return changeIfMet(
    change(keyOf(post), {
      set: { leaseUntil: timestamp(requestLeaseMs) },
      add: { attempt: 1 },
      when: allOf(equals('attempt', post.attempt), isFree()),
    }),
  );
}

function acquire(key: Key, accountId: string, when: Condition): Promise<ContentPost | undefined> {
  const isOpen = either(
    equals('state', 'SCHEDULED'),
    equals('phase', 'UNCONFIRMED'),
    equals('list', 'stagedPost'),
  );

  return changeIfMet(
    change(key, { set: leased(accountId), add: { attempt: 1 }, when: allOf(isOpen, when) }),
  );
}

/** A write that only the post's current owner can make. */
export function planAsOwner(post: ContentPost, set: Attributes): Write {
  return change(keyOf(post), {
    set,
    when: equals('attempt', post.attempt),
    onConditionFailed: () => new OwnershipLostError(post.id),
  });
}

/** Stores the progress of the publication and renews the lease. */
export async function keepProgress(post: ContentPost, set: Attributes): Promise<void> {
  await write(planAsOwner(post, { ...set, ...leased(post.targetAccountId) }));
}

/**
 * Gives up a post, so that the publisher continues with it. The former owner can neither send it
 * nor store an outcome. Returns `undefined` if the call that makes it visible may have been sent,
 * or it has another owner.
 */
export function handOver(post: ContentPost): Promise<ContentPost | undefined> {
  const isUnsent = either(absent('phase'), equals('phase', 'PREPARED'));

  return changeIfMet(
    change(keyOf(post), {
      set: { leaseUntil: null, ...duePublication(timestamp(), post) },
      add: { attempt: 1 },
      when: allOf(equals('attempt', post.attempt), present('leaseUntil'), isUnsent),
    }),
  );
}

/** Runs `work` and renews the lease until it ends. */
export function whileHeld<T>(post: ContentPost, work: () => Promise<T>): Promise<T> {
  // The owner's final write removes the lease, and a late renewal must not restore it.
  const isHeld = allOf(equals('attempt', post.attempt), present('leaseUntil'));

  return repeatedly(
    renewIntervalMs,
    async () => {
      await write(change(keyOf(post), { set: leased(post.targetAccountId), when: isHeld }));
    },
    work,
  );
}
