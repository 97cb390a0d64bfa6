import { dayMs, secondMs, timestamp } from '#lib/platform/clock.ts';
import { type Key, keys } from '#lib/platform/db/keys.ts';
import { create, discard, put, type Write } from '#lib/platform/db/write.ts';
import type { ContentPost } from './post.ts';

/** A minute in UTC, such as `2035-01-15T09:30`. */
export function minuteOf(moment: string): string {
  return moment.slice(0, 16);
}

/** Thrown by `write` if another post has claimed the slot. */
export class SlotTakenError extends Error {
  constructor(postId: string) {
    super(`Another post has taken the slot of the post ${postId}`);
    this.name = 'SlotTakenError';
  }
}

/** Past minutes are never slots again. A day covers clocks that differ. */
const keptMs = dayMs;

/**
 * Plans the change of the minute that a post takes. Belongs into every transaction that creates,
 * reschedules, cancels or deletes a post, and that fails if the post has changed since the read.
 * Publishing plans none: the items of past minutes expire.
 *
 * A post with `isInSlot` claims the minute, which fails with `SlotTakenError` if another post has
 * claimed it. Other posts can share a minute.
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

function planTaken(key: Key, { id, scheduledAt = '', isInSlot = false }: ContentPost): Write {
  const expiresAtSeconds = Math.ceil((Date.parse(scheduledAt) + keptMs) / secondMs);
  const item = { postId: id, expiresAtSeconds };

  return isInSlot ? create(key, item, () => new SlotTakenError(id)) : put(key, item);
}

function minuteKey(post: ContentPost | undefined): Key | undefined {
  if (post?.state !== 'SCHEDULED' || !post.scheduledAt || post.scheduledAt <= timestamp()) {
    return undefined;
  }
  const { organizationId, targetAccountId, id, scheduledAt, isInSlot = false } = post;
  const holder = isInSlot ? 'SLOT' : id;

  return keys.postMinute(organizationId, targetAccountId, minuteOf(scheduledAt), holder);
}
