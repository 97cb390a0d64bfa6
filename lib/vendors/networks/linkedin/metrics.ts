import { readAnswer } from '#lib/vendors/networks/call-network.ts';
import { collectPosts } from '#lib/vendors/networks/collect-posts.ts';
import { epochMs } from '#lib/vendors/networks/lenient-fields.ts';
import type { Credentials, MetricsApi, PostMetrics } from '#lib/vendors/networks/network.ts';
import * as z from '#schemas/zod.ts';
import { call, organizationUrn, platform, restli, restliList } from './call.ts';
import { fromLittleText } from './little-text.ts';
import { countFollowers } from './organizations.ts';

/** Keeps URLs short enough, because each id is a URN. */
const idsPerCall = 50;
export const maxRecentPosts = 50;

const shareMetrics = z.object({
  likeCount: z.number().default(0),
  commentCount: z.number().default(0),
  shareCount: z.number().default(0),
  clickCount: z.number().default(0),
  impressionCount: z.number().default(0),
  uniqueImpressionsCount: z.number().default(0),
});
const statistics = z.object({
  elements: z.array(
    z.object({
      totalShareStatistics: shareMetrics,
      share: z.string().optional(),
      ugcPost: z.string().optional(),
    }),
  ),
});
/** Unverified: a finder's `paging.total`. See docs/operations.md. */
const counted = z.object({ paging: z.object({ total: z.number().optional() }).optional() });

const postList = z.object({
  elements: z.array(
    z.object({
      id: z.string(),
      commentary: z.string().default(''),
      publishedAt: epochMs.optional(),
      createdAt: epochMs.optional(),
    }),
  ),
});

export const fetchPostMetrics: MetricsApi['fetchPostMetrics'] = async (credentials, urns) => {
  const known = new Map<string, PostMetrics>();
  await Promise.all(
    batchesOf(urns).map(async (filter) => {
      const { elements } = await shareStatistics(credentials, filter);
      for (const { share, ugcPost, totalShareStatistics } of elements) {
        known.set(share ?? ugcPost ?? '', metricsOf(totalShareStatistics));
      }
    }),
  );

  return urns.map((urn) => known.get(urn));
};

export const fetchAccountMetrics: MetricsApi['fetchAccountMetrics'] = async (credentials) => {
  const [followers, posts, { elements }] = await Promise.all([
    countFollowers(credentials),
    countPosts(credentials),
    shareStatistics(credentials, {}),
  ]);
  const total = elements[0]?.totalShareStatistics;

  return {
    followers,
    posts,
    engagement: total ? total.likeCount + total.commentCount + total.shareCount : null,
    reach: total?.uniqueImpressionsCount ?? null,
    clicks: total?.clickCount ?? null,
  };
};

/**
 * Returns the organization's posts, newest first.
 *
 * Unverified: the finder and its parameters. See docs/operations.md.
 */
export const listRecentPosts: MetricsApi['listRecentPosts'] = (credentials, range) =>
  collectPosts(range, async (next) => {
    const start = Number(next ?? 0);
    const answer = await call(credentials, {
      path: '/rest/posts',
      query: {
        q: 'author',
        author: restli(organizationUrn(credentials.platformUserId)),
        count: maxRecentPosts,
        start: start === 0 ? undefined : start,
        sortBy: 'CREATED',
      },
      headers: { 'x-restli-method': 'FINDER' },
    });
    const posts = readAnswer(platform, postList, answer).elements.map((post) => ({
      platformPostId: post.id,
      text: fromLittleText(post.commentary),
      publishedAt: new Date(post.publishedAt ?? post.createdAt ?? 0).toISOString(),
      url: postUrl(post.id),
    }));
    const isLast = posts.length < maxRecentPosts;

    return { posts, next: isLast ? undefined : String(start + maxRecentPosts) };
  });

type Filter = Readonly<Record<'shares' | 'ugcPosts', string>>;

/** Shares and UGC posts have separate parameters. */
function batchesOf(urns: readonly string[]): ReadonlyArray<Partial<Filter>> {
  const groups = [
    { name: 'shares', urns: urns.filter((urn) => !urn.startsWith('urn:li:ugcPost:')) },
    { name: 'ugcPosts', urns: urns.filter((urn) => urn.startsWith('urn:li:ugcPost:')) },
  ];

  return groups.flatMap((group) =>
    Array.from({ length: Math.ceil(group.urns.length / idsPerCall) }, (_, index) => ({
      [group.name]: restliList(group.urns.slice(index * idsPerCall, (index + 1) * idsPerCall)),
    })),
  );
}

async function shareStatistics(credentials: Credentials, filter: Partial<Filter>) {
  const answer = await call(credentials, {
    path: '/rest/organizationalEntityShareStatistics',
    query: {
      q: 'organizationalEntity',
      organizationalEntity: restli(organizationUrn(credentials.platformUserId)),
      ...filter,
    },
  });

  return readAnswer(platform, statistics, answer);
}

async function countPosts(credentials: Credentials): Promise<number | null> {
  const answer = await call(credentials, {
    path: '/rest/posts',
    query: {
      q: 'author',
      author: restli(organizationUrn(credentials.platformUserId)),
      count: 1,
    },
    headers: { 'x-restli-method': 'FINDER' },
  });

  return readAnswer(platform, counted, answer).paging?.total ?? null;
}

function metricsOf(total: z.output<typeof shareMetrics>): PostMetrics {
  return {
    likes: total.likeCount,
    comments: total.commentCount,
    shares: total.shareCount,
    clicks: total.clickCount,
    reach: total.uniqueImpressionsCount,
    impressions: total.impressionCount,
  };
}

export function postUrl(urn: string): string {
  return `https://www.linkedin.com/feed/update/${urn}/`;
}
