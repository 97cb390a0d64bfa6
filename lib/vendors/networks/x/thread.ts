import type { Credentials, Publication } from '#lib/vendors/networks/network.ts';
import { isSameText } from '#lib/vendors/networks/same-text.ts';
import { readTimelineSince, repliedToIn, writtenText } from './timeline.ts';

/** Returns the fields of the request that turn a post into a reply. */
export function replyOf({ replyTo }: Publication) {
  return replyTo === undefined ? {} : { reply: { in_reply_to_tweet_id: replyTo } };
}

/**
 * Finds a part of a thread among the account's own posts. A post has one next part, so the
 * post that it replies to identifies it, together with its text.
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
