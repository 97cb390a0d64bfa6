import { moment } from '#lib/vendors/networks/moments.ts';
import type { Credentials, PostMetrics, RecentPost } from '#lib/vendors/networks/network.ts';
import * as z from '#schemas/zod.ts';
import { callTwitter } from './call.ts';

const idsPerCall = 100;
/** A probe looks through no more pages of 100 posts than these. */
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

/** A post as X hands it out, with the fields that this service asks for. */
export const twitterPost = z.object({
  id: z.string().min(1),
  text: z.string(),
  author_id: z.string().optional(),
  created_at: moment.optional(),
  conversation_id: z.string().optional(),
  in_reply_to_user_id: z.string().optional(),
  referenced_tweets: z.array(z.object({ type: z.string(), id: z.string() })).optional(),
  entities: entities.optional(),
});
export type TwitterPost = z.output<typeof twitterPost>;

const postFields =
  'created_at,entities,author_id,conversation_id,in_reply_to_user_id,referenced_tweets';

const timeline = z.object({
  data: z.array(twitterPost).default([]),
  meta: z.object({ next_token: z.string().optional() }).optional(),
  includes: z
    .object({
      users: z
        .array(z.object({ id: z.string(), name: z.string(), username: z.string() }))
        .default([]),
    })
    .optional(),
});
export type TwitterTimeline = z.output<typeof timeline>;

const count = z.number().default(0);
const measured = z.object({
  id: z.string(),
  public_metrics: z
    .object({
      like_count: count,
      reply_count: count,
      retweet_count: count,
      quote_count: count,
      impression_count: count,
    })
    .optional(),
  non_public_metrics: z.object({ url_link_clicks: z.number().optional() }).optional(),
});
const measuredPosts = z.object({ data: z.array(measured).default([]) });
type Measured = z.output<typeof measured>;

/** The address of a post; X leads on to the one with the author's name. */
export function twitterPostUrl(id: string): string {
  return `https://x.com/i/web/status/${id}`;
}

/** One page of the account's own posts, or of posts that name it, newest first. */
function readTimeline(
  { platformUserId, accessToken }: Credentials,
  kind: 'tweets' | 'mentions',
  { since, page }: { readonly since?: string; readonly page?: string | undefined } = {},
): Promise<TwitterTimeline> {
  return callTwitter({
    method: 'GET',
    path: `/2/users/${encodeURIComponent(platformUserId)}/${kind}`,
    token: accessToken,
    query: {
      max_results: 100,
      'tweet.fields': postFields,
      expansions: kind === 'mentions' ? 'author_id' : undefined,
      'user.fields': kind === 'mentions' ? 'name,username' : undefined,
      exclude: kind === 'tweets' ? 'retweets' : undefined,
      // X takes whole seconds alone.
      start_time: since?.replace(/\.\d+Z$/, 'Z'),
      pagination_token: page,
    },
    answer: timeline,
  });
}

/** All posts since a moment, newest first; the oldest are missing where there are very many. */
export async function readTimelineSince(
  credentials: Credentials,
  kind: 'tweets' | 'mentions',
  since: string,
): Promise<{ readonly pages: readonly TwitterTimeline[]; readonly isWhole: boolean }> {
  const pages: TwitterTimeline[] = [];
  let page: string | undefined;
  do {
    const read = await readTimeline(credentials, kind, { since, page });
    pages.push(read);
    page = read.meta?.next_token;
  } while (page !== undefined && pages.length < maxPages);

  return { pages, isWhole: page === undefined };
}

/** The account's latest posts, newest first, with the text as it was written. */
export async function listTwitterPosts(credentials: Credentials): Promise<readonly RecentPost[]> {
  const { data } = await readTimeline(credentials, 'tweets');

  return data.map((post) => ({
    platformPostId: post.id,
    text: writtenText(post),
    publishedAt: post.created_at ?? '',
    url: twitterPostUrl(post.id),
  }));
}

/**
 * The text as its author wrote it: X wraps addresses, adds one for each medium, and escapes three
 * characters for HTML.
 */
export function writtenText({ text, entities: { urls = [] } = {} }: TwitterPost): string {
  let written = text;
  for (const { url, expanded_url: target, media_key: media } of urls) {
    written = written.replaceAll(url, () => (media === undefined ? (target ?? url) : ''));
  }

  return written.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&').trim();
}

/**
 * Figures of posts, in the order of the ids. Those that only the author sees (clicks) end 30 days
 * after publication, and asking for them takes the whole post out of the answer: what is missing is
 * asked for again without them.
 */
export async function fetchTwitterMetrics(
  { accessToken }: Credentials,
  ids: readonly string[],
): Promise<ReadonlyArray<PostMetrics | undefined>> {
  const found = new Map<string, Measured>();
  for (const fields of ['public_metrics,non_public_metrics,organic_metrics', 'public_metrics']) {
    const missing = ids.filter((id) => !found.has(id));
    for (let at = 0; at < missing.length; at += idsPerCall) {
      const { data } = await callTwitter({
        method: 'GET',
        path: '/2/tweets',
        token: accessToken,
        query: { ids: missing.slice(at, at + idsPerCall).join(','), 'tweet.fields': fields },
        answer: measuredPosts,
      });
      for (const post of data) {
        found.set(post.id, post);
      }
    }
  }

  return ids.map((id) => metricsOf(found.get(id)));
}

function metricsOf(post: Measured | undefined): PostMetrics | undefined {
  const figures = post?.public_metrics;

  return figures === undefined
    ? undefined
    : {
        likes: figures.like_count,
        comments: figures.reply_count,
        shares: figures.retweet_count + figures.quote_count,
        clicks: post?.non_public_metrics?.url_link_clicks ?? null,
        reach: null,
        impressions: figures.impression_count,
      };
}
