import { dayMs, epochSeconds, secondMs, timestamp } from '#lib/platform/clock.ts';
import { either, equals, isGone } from '#lib/platform/db/conditions.ts';
import { contentKeys } from '#lib/platform/db/keys/content.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import {
  type Attributes,
  change,
  discard,
  put,
  remove,
  type Write,
} from '#lib/platform/db/write.ts';
import type { ContentPost } from './post.ts';

/** A minute in UTC, such as `2035-01-15T09:30`. */
export function minuteOf(moment: string): string {
  return moment.slice(0, 16);
}

/** Past minutes are never slots again. A day covers differences between clocks. */
const keptMs = dayMs;

/**
 * Plans the change of the minute that a post occupies. It belongs in every transaction that
 * creates, reschedules, cancels or deletes a post, and that fails if the post has changed since the
 * read. Publishing needs none, because the items of past minutes expire.
 *
 * A post with `isInSlot` claims the minute, which its group holds. Other posts can share a minute.
 */
export function planMinute(
  before: ContentPost | undefined,
  after: ContentPost | undefined,
): readonly Write[] {
  const [released, taken] = [minuteKey(before), minuteKey(after)];
  if (released?.sk === taken?.sk) {
    return [];
  }

  return [
    ...(released ? [discard(released)] : []),
    ...(after && taken ? [planTaken(taken, after)] : []),
  ];
}

function planTaken(key: Key, post: ContentPost): Write {
  const { id, scheduledAt = '', isInSlot = false, groupId = '' } = post;
  const expiresAtSeconds = Math.ceil((Date.parse(scheduledAt) + keptMs) / secondMs);
  const item = { postId: id, expiresAtSeconds };

  return isInSlot ? planClaim(key, { ...item, heldBy: null }, groupId) : put(key, item);
}

/** Fails if another group has the slot. */
function planClaim(key: Key, set: Attributes, groupId: string): Write {
  return change(key, { set, when: either(isGone(), equals('heldBy', groupId)), orCreate: true });
}

/** Longer than any request. If one crashes, its slots are free again after that. */
const holdSeconds = 60;

export type SlotHold = {
  readonly organizationId: string;
  readonly accountId: string;
  readonly slot: string;
  readonly groupId: string;
};

/** Holds a slot for the posts of a group that are about to be written. */
export function planSlotHold(hold: SlotHold): Write {
  const set = { heldBy: hold.groupId, expiresAtSeconds: epochSeconds(holdSeconds) };

  return planClaim(slotKey(hold), set, hold.groupId);
}

/** Releases a slot, unless a post has it. */
export function planSlotRelease(hold: SlotHold): Write {
  return remove(slotKey(hold), { when: equals('heldBy', hold.groupId) });
}

function slotKey({ organizationId, accountId, slot }: Omit<SlotHold, 'groupId'>): Key {
  return contentKeys.postMinute(organizationId, accountId, minuteOf(slot), 'SLOT');
}

function minuteKey(post: ContentPost | undefined): Key | undefined {
  if (post?.state !== 'SCHEDULED' || !post.scheduledAt || post.scheduledAt <= timestamp()) {
    return undefined;
  }
  const { organizationId, targetAccountId: accountId, id, scheduledAt, isInSlot = false } = post;

  return isInSlot
    ? slotKey({ organizationId, accountId, slot: scheduledAt })
    : contentKeys.postMinute(organizationId, accountId, minuteOf(scheduledAt), id);
}
