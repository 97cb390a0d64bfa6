import { minuteMs, timestamp } from '#lib/clock.ts';
import { type ContentPost, keyOf } from '#lib/content/post.ts';
import { absent, allOf, below, type Condition, either, equals } from '#lib/db/conditions.ts';
import { dueIn } from '#lib/db/due-work.ts';
import type { Key } from '#lib/db/keys.ts';
import { type Attributes, ConditionNotMet, change, type Write, write } from '#lib/db/write.ts';

/** An owner that does not end its work within this time is taken for dead. */
const leaseMs = 2 * minuteMs;

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
export function duePublication(at: string, accountId: string) {
  return dueIn('PUBLISH', `${at}#${accountId}`);
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

/** The attributes of a post that somebody is now at work on. */
export function leased(accountId: string) {
  const leaseUntil = timestamp(leaseMs);

  return { leaseUntil, ...duePublication(leaseUntil, accountId) };
}

/**
 * Takes a post that is due, by one conditional write: of any number of publishers one gets it, with
 * the text as it is at this moment. `undefined`: it is not due any more, or somebody has it.
 */
export function claimDuePost(key: Key, accountId: string): Promise<ContentPost | undefined> {
  // `~` sorts after the account that follows the time.
  const isDue = below('dueAt', `${timestamp()}~`);

  return take(key, accountId, allOf(isDue, isFree()));
}

/** Takes a post whose outcome is not known, due or not. */
export function claimUnconfirmedPost(post: ContentPost): Promise<ContentPost | undefined> {
  return take(keyOf(post), post.accountId, allOf(equals('phase', 'UNCONFIRMED'), isFree()));
}

async function take(
  key: Key,
  accountId: string,
  when: Condition,
): Promise<ContentPost | undefined> {
  const isOpen = either(equals('state', 'SCHEDULED'), equals('phase', 'UNCONFIRMED'));
  try {
    const taken = await write(
      change(key, { set: leased(accountId), add: { attempt: 1 }, when: allOf(isOpen, when) }),
    );

    return taken as ContentPost | undefined;
  } catch (failure) {
    if (failure instanceof ConditionNotMet) {
      return undefined;
    }
    throw failure;
  }
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
  await write(asOwner(post, { ...set, ...leased(post.accountId) }));
}
