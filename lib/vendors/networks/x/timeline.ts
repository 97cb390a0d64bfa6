import {
  networkId,
  optional,
  optionalId,
  optionalText,
  readableList,
  textOrEmpty,
  timestampText,
} from '#lib/vendors/networks/lenient-fields.ts';
import type { Credentials } from '#lib/vendors/networks/network.ts';
import * as z from '#schemas/zod.ts';
import { call, platform } from './call.ts';

/** Limits the number of pages, which have 100 posts each. */
const maxPages = 5;

const entities = optional(
  z.object({
    urls: readableList(
      platform,
      z.object({ url: z.string(), expanded_url: optionalText, media_key: optionalText }),
    ),
  }),
);
/** The full text of a post with more than 280 characters. Its `text` ends with an ellipsis. */
const note = optional(z.object({ text: z.string().min(1), entities }));
const references = optional(readableList(platform, z.object({ type: z.string(), id: networkId })));

/** Reads return the names from X's specification, but events still contain the older names. */
export const postSchema = z.object({
  id: networkId,
  text: textOrEmpty,
  author_id: optionalId,
  created_at: optional(timestampText),
  conversation_id: optionalId,
  in_reply_to_user_id: optionalId,
  in_reply_to_post_id: optionalId,
  in_reply_to_tweet_id: optionalId,
  referenced_posts: references,
  referenced_tweets: references,
  entities,
  note_post: note,
  note_tweet: note,
});
export type Post = z.output<typeof postSchema>;

const postFields = 'created_at,entities,conversation_id,note_post';

function referencesOf({ referenced_posts: posts, referenced_tweets: tweets }: Post) {
  return posts ?? tweets ?? [];
}

/** True if the post is a repost. Its text is by another author. */
export function isRepost(post: Post): boolean {
  return referencesOf(post).some(({ type }) => type === 'retweeted');
}

/** Returns the id of the post that this one replies to. */
export function repliedToIn(post: Post): string | undefined {
  return (
    referencesOf(post).find(({ type }) => type === 'replied_to')?.id ??
    post.in_reply_to_post_id ??
    post.in_reply_to_tweet_id
  );
}

/** An author of posts. */
export const namedUser = z.object({
  name: optionalText,
  username: optionalText,
  profile_image_url: optionalText,
});
export const included = optional(
  z.object({ users: readableList(platform, namedUser.extend({ id: networkId })) }),
);
const timeline = z.object({
  data: readableList(platform, postSchema),
  meta: optional(z.object({ next_token: optionalText })),
  includes: included,
});
export type Timeline = z.output<typeof timeline>;

const exclusions = {
  tweets: 'replies,retweets',
  tweetsAndReplies: 'retweets',
  mentions: undefined,
} as const;

/** Own posts without replies, own posts with replies, or posts that mention the account. */
type TimelineKind = 'tweets' | 'tweetsAndReplies' | 'mentions';

/** Returns a page of the account's own posts or of its mentions, newest first. */
export function readTimeline(
  { platformUserId, accessToken }: Credentials,
  kind: TimelineKind,
  { since, page }: { readonly since?: string; readonly page?: string | undefined } = {},
): Promise<Timeline> {
  return call({
    path: `/2/users/${encodeURIComponent(platformUserId)}/${kind === 'mentions' ? kind : 'tweets'}`,
    token: accessToken,
    query: {
      max_results: 100,
      'post.fields': postFields,
      expansions: kind === 'tweets' ? undefined : 'author_id,in_reply_to_user_id,referenced_posts',
      'user.fields': kind === 'mentions' ? 'name,profile_image_url,username' : undefined,
      exclude: exclusions[kind],
      // X does not accept milliseconds.
      start_time: since?.replace(/\.\d+Z$/, 'Z'),
      pagination_token: page,
    },
    answer: timeline,
  });
}

/**
 * Returns the posts since a timestamp, newest first. `isWhole` is false if the page limit cut off
 * the oldest.
 */
export async function readTimelineSince(
  credentials: Credentials,
  kind: TimelineKind,
  since: string,
): Promise<{ readonly pages: readonly Timeline[]; readonly isWhole: boolean }> {
  const pages: Timeline[] = [];
  let page: string | undefined;
  do {
    const read = await readTimeline(credentials, kind, { since, page });
    pages.push(read);
    page = read.meta?.next_token;
  } while (page !== undefined && pages.length < maxPages);

  return { pages, isWhole: page === undefined };
}

/**
 * Restores the text that the author wrote. X shortens URLs, appends one for each media file, and
 * escapes `<`, `>` and `&`.
 */
export function writtenText(post: Post): string {
  const { text, entities: { urls = [] } = {} } = post.note_post ?? post.note_tweet ?? post;
  let written = text;
  for (const { url, expanded_url: target, media_key: media } of urls) {
    written = written.replaceAll(url, () => (media === undefined ? (target ?? url) : ''));
  }

  return written.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&').trim();
}
