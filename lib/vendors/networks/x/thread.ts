import type { Credentials, Publication } from '#lib/vendors/networks/network.ts';
import { isSameText } from '#lib/vendors/networks/same-text.ts';
import { readTimelineSince, repliedToIn, writtenText } from './timeline.ts';

/** Returns the request fields that make a post a reply. */
export function replyOf({ replyTo }: Publication) {
  return replyTo === undefined ? {} : { reply: { in_reply_to_tweet_id: replyTo } };
}

/**
 * Finds a part of a thread among the account's own posts. Each part has one next part, so a post is
 * identified by its text and the post that it replies to.
 */
export async function findReply(
  credentials: Credentials,
  { text, replyTo }: Publication,
  since: string,
): Promise<{ readonly id: string | undefined; readonly isWhole: boolean }> {
  const { pages, isWhole } = await readTimelineSince(credentials, 'tweetsAndReplies', since);
  const found = pages
    .flatMap(({ data }) => data)
    .find((post) => repliedToIn(post) === replyTo && isSameText(writtenText(post), text));

  return { id: found?.id, isWhole };
}
