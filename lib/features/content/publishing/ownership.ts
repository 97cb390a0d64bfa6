import { type ContentPost, keyOf } from '#lib/features/content/posts/post.ts';
import { secondMs, timestamp } from '#lib/platform/clock.ts';
import {
  absent,
  allOf,
  below,
  type Condition,
  either,
  equals,
  present,
} from '#lib/platform/db/conditions.ts';
import { dueIn } from '#lib/platform/db/due-work.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { type Attributes, change, type Write, write } from '#lib/platform/db/write.ts';
import { changeIfMet } from '#lib/platform/db/write-if-met.ts';
import { repeatedly } from '#lib/platform/work/repeatedly.ts';

/**
 * An owner that has not been heard of for this long is taken for dead. It is longer than any call
 * but an upload; an owner that lives says so every few seconds, so that it outlasts that too.
 */
export const leaseMs = 20 * secondMs;
const beatMs = 5 * secondMs;

/** Somebody else has taken the post: whatever its former owner still wants to write is refused. */
export class OwnershipLost extends Error {
  constructor(postId: string) {
    super(`Another publisher has taken the post ${postId}`);
    this.name = 'OwnershipLost';
  }
}

/**
 * The moment at which the publisher looks at a post, followed by its account: so the index tells
 * what is due by account, without a look at the posts.
 */
export function duePublication(at: string, post: Pick<ContentPost, 'id' | 'targetAccountId'>) {
  return dueIn('PUBLISH', `${at}#${post.targetAccountId}`, post.id);
}

/** What is due at that very moment comes before this: `~` sorts after the account. */
export function endOf(moment: string): string {
  return `${moment}~`;
}

export function momentOfDue(dueAt: string): string {
  return dueAt.slice(0, dueAt.indexOf('#'));
}

export function accountOfDue(dueAt: string): string {
  return dueAt.slice(dueAt.indexOf('#') + 1);
}

/** Nobody is at work on it, or somebody who has died. */
export function isFree(): Condition {
  return either(absent('leaseUntil'), below('leaseUntil', timestamp()));
}

/**
 * The attributes of a post that somebody is now at work on. It stands in a queue of its own, so that
 * a tick can see beforehand whose lease is about to end.
 */
export function leased(accountId: string) {
  const leaseUntil = timestamp(leaseMs);

  return { leaseUntil, ...dueIn('PUBLISHING', `${leaseUntil}#${accountId}`) };
}

/**
 * Takes a post that is due, by one conditional write: of any number of publishers one gets it, with
 * the text as it is at this moment. `undefined`: it is not due any more, or somebody has it.
 */
export function claimDuePost(key: Key, accountId: string): Promise<ContentPost | undefined> {
  const isDue = below('dueAt', endOf(timestamp()));

  return take(key, accountId, allOf(isDue, isFree()));
}

/** Takes a post whose outcome is not known, due or not. */
export function claimUnconfirmedPost(post: ContentPost): Promise<ContentPost | undefined> {
  return take(keyOf(post), post.targetAccountId, allOf(equals('phase', 'UNCONFIRMED'), isFree()));
}

function take(key: Key, accountId: string, when: Condition): Promise<ContentPost | undefined> {
  const isOpen = either(equals('state', 'SCHEDULED'), equals('phase', 'UNCONFIRMED'));

  return changeIfMet(
    change(key, { set: leased(accountId), add: { attempt: 1 }, when: allOf(isOpen, when) }),
  );
}

/** A write of the post's owner: refused as soon as somebody else has taken the post. */
export function asOwner(post: ContentPost, set: Attributes): Write {
  return change(keyOf(post), {
    set,
    when: equals('attempt', post.attempt),
    refused: () => new OwnershipLost(post.id),
  });
}

/** Keeps how far the publication has got, and the post for another while. */
export async function keepProgress(post: ContentPost, set: Attributes): Promise<void> {
  await write(asOwner(post, { ...set, ...leased(post.targetAccountId) }));
}

/** Does what an owner does, and keeps the post for as long as that lasts. */
export function whileHeld<T>(post: ContentPost, work: () => Promise<T>): Promise<T> {
  // What the owner writes in the end takes the lease away: a late beat is not to bring it back.
  const isHeld = allOf(equals('attempt', post.attempt), present('leaseUntil'));

  return repeatedly(
    beatMs,
    async () => {
      await write(change(keyOf(post), { set: leased(post.targetAccountId), when: isHeld }));
    },
    work,
  );
}
