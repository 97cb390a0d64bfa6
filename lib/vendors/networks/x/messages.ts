import { unsupported } from '#lib/vendors/networks/capabilities.ts';
import type { MessagesApi } from '#lib/vendors/networks/network.ts';
import * as z from '#schemas/zod.ts';
import { call, platform } from './call.ts';
import { createPost } from './create-post.ts';

export const privateReply = unsupported(platform, 'privateReply');

const sentMessage = z.object({ data: z.object({ dm_event_id: z.string() }) });

export const sendDirectMessage: MessagesApi['sendDirectMessage'] = async (
  { accessToken },
  { to, text },
) => {
  const { data } = await call({
    method: 'POST',
    path: `/2/dm_conversations/with/${encodeURIComponent(to)}/messages`,
    token: accessToken,
    json: { text },
    answer: sentMessage,
  });

  return { id: data.dm_event_id };
};

/** Creates a post, because replies on X are posts. Plans that may not reply get a permanent 403. */
export const replyToComment: MessagesApi['replyToComment'] = async (
  credentials,
  { commentId, text },
) => {
  const { platformPostId } = await createPost(credentials, {
    text,
    reply: { in_reply_to_tweet_id: commentId },
  });

  return { id: platformPostId };
};
