import { type ContentPost, isStory } from '#lib/features/content/posts/post.ts';
import { readConnectedAccount } from '#lib/features/social/accounts/accounts.ts';
import {
  countForAccounts,
  type LimitsReply,
  withinDailyCalls,
} from '#lib/features/social/accounts/call-limits.ts';
import { withFreshToken } from '#lib/features/social/tokens/fresh-credentials.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import type { PostMetrics } from '#lib/vendors/networks/network.ts';
import { metricsOf } from '#lib/vendors/networks/ports/metrics.ts';

/**
 * Returns the current metrics of published posts by post id. Makes one call per account, in
 * parallel. Omits stories, and posts of a network that does not respond.
 *
 * @throws 429 if the limit of one of the accounts, or the organization's daily budget, is used up.
 */
export async function readLiveMetrics(
  organizationId: string,
  posts: readonly ContentPost[],
  reply: LimitsReply,
): Promise<ReadonlyMap<string, PostMetrics>> {
  const published = posts.filter(
    (post) => post.state === 'PUBLISHED' && post.platformPostId !== undefined && !isStory(post),
  );
  const ofAccounts = Map.groupBy(published, ({ targetAccountId }) => targetAccountId);
  await countForAccounts(organizationId, [...ofAccounts.keys()], 'accountLiveData', reply);
  const platforms = published.map(({ platform }) => platform);
  const metrics = await withinDailyCalls(organizationId, platforms, reply, () =>
    Promise.all([...ofAccounts.values()].map((own) => readOfAccount(own))),
  );

  return new Map(metrics.flat());
}

async function readOfAccount(
  posts: readonly ContentPost[],
): Promise<ReadonlyArray<readonly [string, PostMetrics]>> {
  const [first] = posts;
  if (!first) {
    return [];
  }
  try {
    const account = await readConnectedAccount(first.organizationId, first.targetAccountId);
    const ids = posts.map(({ platformPostId = '' }) => platformPostId);
    const metrics = await withFreshToken(account, (credentials) =>
      metricsOf(account.platform).fetchPostMetrics(credentials, ids),
    );

    return posts.flatMap(({ id }, index) => {
      const own = metrics[index];

      return own ? [[id, own] as const] : [];
    });
  } catch (failure) {
    logger.warn('The live metrics of an account could not be read', {
      organizationId: first.organizationId,
      accountId: first.targetAccountId,
      failure: describeFailure(failure),
    });

    return [];
  }
}
