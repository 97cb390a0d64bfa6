import type {
  CommentReply,
  Credentials,
  CustomerProfile,
  DirectMessage,
  NormalisedEvent,
  Sent,
} from '#lib/vendors/networks/network.ts';
import * as z from '#schemas/zod.ts';
import { call } from './call.ts';
import { toEvents } from './post-events.ts';
import { createPost } from './publishing.ts';
import { readTimelineSince } from './timeline.ts';

const profile = z.object({
  data: z.object({
    name: z.string(),
    username: z.string(),
    profile_image_url: z.string().optional(),
  }),
});
const sentMessage = z.object({ data: z.object({ dm_event_id: z.string() }) });

export async function sendDirectMessage(
  { accessToken }: Credentials,
  { to, text }: DirectMessage,
): Promise<Sent> {
  const { data } = await call({
    method: 'POST',
    path: `/2/dm_conversations/with/${encodeURIComponent(to)}/messages`,
    token: accessToken,
    json: { text },
    answer: sentMessage,
  });

  return { id: data.dm_event_id };
}

/** Returns the profile of a user. */
export async function fetchProfile(
  { accessToken }: Credentials,
  customerId: string,
): Promise<CustomerProfile> {
  const { data } = await call({
    method: 'GET',
    path: `/2/users/${encodeURIComponent(customerId)}`,
    token: accessToken,
    query: { 'user.fields': 'profile_image_url,username' },
    answer: profile,
  });
  const { name, username, profile_image_url: avatarUrl } = data;

  return { name, username, ...(avatarUrl ? { avatarUrl } : {}) };
}

/**
 * Creates a post, which is how X represents a reply. Plans without replies return a permanent 403.
 */
export async function replyToComment(
  credentials: Credentials,
  { commentId, text }: CommentReply,
): Promise<Sent> {
  const { platformPostId } = await createPost(credentials, {
    text,
    reply: { in_reply_to_tweet_id: commentId },
  });

  return { id: platformPostId };
}

/** Returns the posts that mention the account, oldest first. */
export async function fetchComments(
  credentials: Credentials,
  since: string,
): Promise<readonly NormalisedEvent[]> {
  const { pages } = await readTimelineSince(credentials, 'mentions', since);

  return pages.flatMap((page) => toEvents(credentials.platformUserId, page)).reverse();
}
