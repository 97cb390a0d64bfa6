import { type ContentPost, requirePost } from '#lib/features/content/posts/post.ts';
import { noTiming, presentTiming } from '#lib/features/content/posts/timing.ts';
import { readFacetMetrics } from '#lib/features/leads/lead-counters.ts';
import { ApiError } from '#lib/platform/errors/failures.ts';
import type { PostMetrics } from '#lib/vendors/networks/network.ts';
import {
  audienceOf,
  engagementOf,
  noPostMetrics,
  percentOf,
} from '#lib/vendors/networks/post-metrics.ts';
import { readDemographics } from './demographics.ts';
import { readLiveMetrics } from './live-metrics.ts';

/**
 * Returns a post's metrics, its viewers, the timing of its engagement, and the leads it generated.
 * The metrics come from the latest snapshot, or from the network if there is none yet.
 *
 * @throws 404
 */
export async function readPerformance(organizationId: string, postId: string) {
  const [post, leads] = await Promise.all([
    requirePost(organizationId, postId),
    readFacetMetrics(organizationId, 'contentPostId', postId),
  ]);
  const [metrics, demographics] = await Promise.all([metricsOf(post), readDemographics(post)]);
  const fromIt = leads.get(postId);
  const clicks = (metrics.clicks ?? 0) + (post.linkClicks ?? 0);

  return {
    postId,
    content: post.content,
    metrics: {
      likes: metrics.likes ?? 0,
      comments: metrics.comments ?? 0,
      shares: metrics.shares ?? 0,
      clicks,
      reach: metrics.reach ?? 0,
      impressions: metrics.impressions ?? 0,
      engagementRate: percentOf(engagementOf(metrics), audienceOf(metrics)),
      clickThroughRate: percentOf(clicks, metrics.impressions ?? 0),
    },
    demographics,
    timing: presentTiming(post.timing ?? noTiming),
    attribution: {
      leadsGenerated: fromIt?.total ?? 0,
      conversions: fromIt?.converted ?? 0,
      revenue: fromIt?.convertedValue ?? 0,
    },
  };
}

async function metricsOf(post: ContentPost) {
  if (post.figures || post.state !== 'PUBLISHED') {
    return post.figures ?? noPostMetrics;
  }
  const live = await readLiveMetrics(post.organizationId, [post], {
    rateLimits: () => undefined,
  }).catch(noneIfLimited);

  return live.get(post.id) ?? noPostMetrics;
}

/** A limit that is used up is treated like a network that does not respond. */
function noneIfLimited(failure: unknown): ReadonlyMap<string, PostMetrics> {
  if (failure instanceof ApiError && failure.kind === 'tooManyRequests') {
    return new Map();
  }
  throw failure;
}
