import { timestamp } from '#lib/platform/clock.ts';
import type { NormalisedEvent } from '#lib/vendors/networks/network.ts';
import * as z from '#schemas/zod.ts';
import { type Post, repliedToIn, type Timeline, writtenText } from './timeline.ts';

export const namedUser = z.object({ name: z.string().optional(), username: z.string().optional() });

export function toEvent(accountId: string, post: Post, author: string): NormalisedEvent {
  const repliedTo = repliedToIn(post);
  const isEcho = post.author_id === accountId;

  return {
    eventId: `post-${post.id}`,
    platformUserId: accountId,
    type: typeOf(accountId, post, repliedTo),
    channel: repliedTo === undefined ? 'POST' : 'COMMENT',
    from: { id: post.author_id ?? '', name: author },
    to: undefined,
    text: writtenText(post),
    messageId: post.id,
    platformPostId: repliedTo === undefined ? post.id : (post.conversation_id ?? repliedTo),
    ...(repliedTo === undefined ? {} : { parentId: repliedTo }),
    isEcho,
    occurredAt:
      post.created_at === undefined ? timestamp() : new Date(post.created_at).toISOString(),
  };
}

function typeOf(
  accountId: string,
  post: Post,
  repliedTo: string | undefined,
): NormalisedEvent['type'] {
  if (repliedTo !== undefined && (post.in_reply_to_user_id ?? accountId) === accountId) {
    return 'comment';
  }

  return post.author_id === accountId ? 'post' : 'mention';
}

/** Converts a page of mentions to the events that X would have pushed. */
export function toEvents(
  accountId: string,
  { data, includes: included }: Timeline,
): readonly NormalisedEvent[] {
  return data.map((post) => {
    const author = included?.users.find(({ id }) => id === post.author_id);

    return toEvent(accountId, post, nameOf(author, post.author_id ?? ''));
  });
}

export function nameOf(person: z.output<typeof namedUser> | undefined, id: string): string {
  return person?.name || person?.username || id;
}
