import type { AccountFigures, Credentials, PostMetrics } from '#lib/vendors/networks/network.ts';
import { readAnswer } from '#lib/vendors/networks/read-answer.ts';
import * as z from '#schemas/zod.ts';
import { callLinkedIn, organizationUrn, restli, restliList } from './call.ts';
import { countFollowers } from './tokens.ts';

/** So many URNs stand in one URL. */
const idsAtOnce = 50;

const figures = z.object({
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
      totalShareStatistics: figures,
      share: z.string().optional(),
      ugcPost: z.string().optional(),
    }),
  ),
});
/** A finder's `paging.total` is from memory: to be checked before going live. */
const counted = z.object({ paging: z.object({ total: z.number().optional() }).optional() });

export async function fetchPostMetrics(
  credentials: Credentials,
  urns: readonly string[],
): Promise<ReadonlyArray<PostMetrics | undefined>> {
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
}

export async function fetchAccountFigures(credentials: Credentials): Promise<AccountFigures> {
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
}

type Filter = Readonly<Record<'shares' | 'ugcPosts', string>>;

/** Two kinds of posts are asked for by two names. */
function batchesOf(urns: readonly string[]): ReadonlyArray<Partial<Filter>> {
  const groups = [
    { name: 'shares', urns: urns.filter((urn) => !urn.startsWith('urn:li:ugcPost:')) },
    { name: 'ugcPosts', urns: urns.filter((urn) => urn.startsWith('urn:li:ugcPost:')) },
  ];

  return groups.flatMap((group) =>
    Array.from({ length: Math.ceil(group.urns.length / idsAtOnce) }, (_, index) => ({
      [group.name]: restliList(group.urns.slice(index * idsAtOnce, (index + 1) * idsAtOnce)),
    })),
  );
}

async function shareStatistics(credentials: Credentials, filter: Partial<Filter>) {
  const answer = await callLinkedIn(credentials, {
    method: 'GET',
    path: '/rest/organizationalEntityShareStatistics',
    query: {
      q: 'organizationalEntity',
      organizationalEntity: restli(organizationUrn(credentials.platformUserId)),
      ...filter,
    },
  });

  return readAnswer('LINKEDIN', statistics, answer);
}

async function countPosts(credentials: Credentials): Promise<number | null> {
  const answer = await callLinkedIn(credentials, {
    method: 'GET',
    path: '/rest/posts',
    query: {
      q: 'author',
      author: restli(organizationUrn(credentials.platformUserId)),
      count: 1,
    },
    headers: { 'x-restli-method': 'FINDER' },
  });

  return readAnswer('LINKEDIN', counted, answer).paging?.total ?? null;
}

function metricsOf(total: z.output<typeof figures>): PostMetrics {
  return {
    likes: total.likeCount,
    comments: total.commentCount,
    shares: total.shareCount,
    clicks: total.clickCount,
    reach: total.uniqueImpressionsCount,
    impressions: total.impressionCount,
  };
}
