import { unsupported } from '#lib/vendors/networks/capabilities.ts';
import type {
  CommentReply,
  Credentials,
  DirectMessage,
  Sent,
} from '#lib/vendors/networks/network.ts';
import * as z from '#schemas/zod.ts';
import { call, platform } from './call.ts';
import { createPost } from './create-post.ts';

export const privateReply = unsupported(platform, 'privateReply');

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

/** Creates a post, because replies on X are posts. Plans that may not reply get a permanent 403. */
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
