import {
  AccountMissingError,
  type SocialAccount,
  socialAccountNotFound,
} from '#lib/features/social/accounts/accounts.ts';
import {
  type NewAccountMetrics,
  planAccountMetrics,
} from '#lib/features/social/metrics/account-metrics.ts';
import {
  type Fetched,
  fetchMetrics,
  toNewAccountMetrics,
  totalEngagement,
} from '#lib/features/social/metrics/fetch-metrics.ts';
import { secondMs, ticksMs, timestamp } from '#lib/platform/clock.ts';
import { ConditionNotMetError } from '#lib/platform/db/failures.ts';
import { write } from '#lib/platform/db/write.ts';
import { asAnswer } from '#lib/vendors/networks/network-error.ts';
import type { BodyOf } from '#schemas/contract.ts';
import type { syncSocialAccount } from '#schemas/social.ts';
import { importPosts, importRange } from './import-posts.ts';

export type SyncRequest = BodyOf<typeof syncSocialAccount>;

/**
 * Fetches an account's metrics now, stores them as today's metrics, and imports posts that were
 * created elsewhere.
 *
 * @returns the synced counts.
 * @throws 404 if the account was disconnected in the meantime, 401 if the token is invalid, 502 if
 * the network is unavailable.
 */
export async function syncAccount(account: SocialAccount, request: SyncRequest) {
  const syncType = request.syncType ?? 'full';
  const includePosts = request.includePosts ?? true;
  const includeFollowers = request.includeFollowers ?? true;
  const includeEngagement = request.includeEngagement ?? true;
  const beganAtMs = ticksMs();
  const since = syncType === 'incremental' ? account.lastSyncAt : undefined;
  const fetched = await asAnswer(
    fetchMetrics(account, {
      metrics: includePosts || includeFollowers || includeEngagement,
      posts: includePosts || includeEngagement,
      postMetrics: includeEngagement,
      since,
      range: includePosts ? importRange() : undefined,
    }),
  );
  const all = toNewAccountMetrics(fetched, since === undefined);
  const { engagement, reach, clicks, topPost } = all;
  const lastSyncAt = timestamp();
  const metrics: NewAccountMetrics = {
    ...(includeFollowers ? { followers: all.followers } : {}),
    ...(includePosts ? { posts: all.posts, lastPostAt: all.lastPostAt } : {}),
    ...(includeEngagement ? { engagement, reach, clicks, topPost } : {}),
  };
  let postsSynced = 0;
  try {
    postsSynced = includePosts ? await importPosts(account, withMetrics(fetched)) : 0;
    await write(...planAccountMetrics(account, account.figures, metrics, { lastSyncAt }));
  } catch (failure) {
    const isGone =
      failure instanceof ConditionNotMetError || failure instanceof AccountMissingError;
    throw isGone ? socialAccountNotFound() : failure;
  }

  return {
    syncType,
    postsSynced,
    followersSynced: includeFollowers ? (all.followers ?? 0) : 0,
    engagementSynced: totalEngagement(fetched.posts),
    syncDuration: Math.round(ticksMs() - beganAtMs) / secondMs,
    lastSyncAt,
  };
}

function withMetrics({ listed, posts = [] }: Fetched) {
  const measured = new Map(posts.map((post) => [post.platformPostId, post.metrics]));

  return listed.map((post) => ({ ...post, metrics: measured.get(post.platformPostId) }));
}
