import { timestamp } from '#lib/platform/clock.ts';
import type { NormalisedEvent, Person } from '#lib/vendors/networks/network.ts';
import { personOf } from '#lib/vendors/networks/person-of.ts';
import type * as z from '#schemas/zod.ts';
import {
  type included,
  isRepost,
  type namedUser,
  type Post,
  repliedToIn,
  writtenText,
} from './timeline.ts';

function toEvent(accountId: string, post: Post, from: Person): NormalisedEvent {
  const repliedTo = repliedToIn(post);
  const isEcho = post.author_id === accountId;

  return {
    eventId: `post-${post.id}`,
    platformUserId: accountId,
    type: typeOf(accountId, post, repliedTo),
    channel: repliedTo === undefined ? 'POST' : 'COMMENT',
    from,
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

/**
 * Returns the event of a post. Returns `undefined` for a repost, which contains no text of its
 * author.
 */
export function postEvent(
  accountId: string,
  post: Post,
  { users = [] }: z.output<typeof included> = { users: [] },
): NormalisedEvent | undefined {
  const { author_id: authorId } = post;
  if (authorId === undefined || isRepost(post)) {
    return undefined;
  }
  const author = users.find(({ id }) => id === authorId);

  return toEvent(accountId, post, userOf(author, authorId));
}

export function userOf(user: z.output<typeof namedUser> | undefined, id: string): Person {
  const { name, username, profile_image_url: avatarUrl } = user ?? {};

  return personOf({ id, name: name || username || id, username, avatarUrl });
}
