import type { Credentials } from '#lib/vendors/networks/network.ts';
import { timestampText } from '#lib/vendors/networks/timestamps.ts';
import * as z from '#schemas/zod.ts';
import { call } from './call.ts';

/** Limits how many pages of 100 posts are read. */
const maxPages = 5;

const entities = z.object({
  urls: z
    .array(
      z.object({
        url: z.string(),
        expanded_url: z.string().optional(),
        media_key: z.string().optional(),
      }),
    )
    .optional(),
});

const references = z.array(z.object({ type: z.string(), id: z.string() })).optional();

/** Reads return the names of X's specification, and events still have the older names. */
export const postSchema = z.object({
  id: z.string().min(1),
  text: z.string(),
  author_id: z.string().optional(),
  created_at: timestampText.optional(),
  conversation_id: z.string().optional(),
  in_reply_to_user_id: z.string().optional(),
  in_reply_to_post_id: z.string().optional(),
  in_reply_to_tweet_id: z.string().optional(),
  referenced_posts: references,
  referenced_tweets: references,
  entities: entities.optional(),
});
export type Post = z.output<typeof postSchema>;

const postFields = 'created_at,entities,conversation_id';

/** Returns the id of the post that this one replies to. */
export function repliedToIn(post: Post): string | undefined {
  const referenced = post.referenced_posts ?? post.referenced_tweets;

  return (
    referenced?.find(({ type }) => type === 'replied_to')?.id ??
    post.in_reply_to_post_id ??
    post.in_reply_to_tweet_id
  );
}

const timeline = z.object({
  data: z.array(postSchema).default([]),
  meta: z.object({ next_token: z.string().optional() }).optional(),
  includes: z
    .object({
      users: z
        .array(z.object({ id: z.string(), name: z.string(), username: z.string() }))
        .default([]),
    })
    .optional(),
});
export type Timeline = z.output<typeof timeline>;

/** Returns the URL of a post. X redirects it to the URL with the author's name. */
export function postUrl(id: string): string {
  return `https://x.com/i/web/status/${id}`;
}

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
    method: 'GET',
    path: `/2/users/${encodeURIComponent(platformUserId)}/${kind === 'mentions' ? kind : 'tweets'}`,
    token: accessToken,
    query: {
      max_results: 100,
      'post.fields': postFields,
      expansions: kind === 'tweets' ? undefined : 'author_id,in_reply_to_user_id,referenced_posts',
      'user.fields': kind === 'mentions' ? 'name,username' : undefined,
      exclude: exclusions[kind],
      // X accepts no milliseconds.
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
 * Restores the text that the author wrote. X shortens URLs, appends one for each medium, and
 * escapes `<`, `>` and `&`.
 */
export function writtenText({ text, entities: { urls = [] } = {} }: Post): string {
  let written = text;
  for (const { url, expanded_url: target, media_key: media } of urls) {
    written = written.replaceAll(url, () => (media === undefined ? (target ?? url) : ''));
  }

  return written.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&').trim();
}
