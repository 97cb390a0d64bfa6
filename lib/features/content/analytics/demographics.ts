import type { ContentPost } from '#lib/features/content/posts/post.ts';
import { readConnectedAccount } from '#lib/features/social/accounts/accounts.ts';
import { countForAccounts } from '#lib/features/social/accounts/call-limits.ts';
import { withFreshToken } from '#lib/features/social/tokens/fresh-credentials.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import type { Demographics } from '#lib/vendors/networks/network.ts';
import { metricsOf } from '#lib/vendors/networks/ports/metrics.ts';

const none: Demographics = { ageGroups: {}, genders: {} };

/**
 * Returns the viewers of a post, from the network's own reports. Empty if the network reports
 * nothing or does not respond, or if the account's limit of live calls is used up.
 */
export async function readDemographics(post: ContentPost): Promise<Demographics> {
  const { organizationId, targetAccountId, platform, platformPostId, state } = post;
  const isReported = metricsOf(platform).fetchDemographics !== undefined;
  if (!isReported || platformPostId === undefined || state !== 'PUBLISHED') {
    return none;
  }
  try {
    const noReply = { rateLimits: () => undefined };
    const [account] = await Promise.all([
      readConnectedAccount(organizationId, targetAccountId),
      countForAccounts(organizationId, [targetAccountId], 'accountLiveData', noReply),
    ]);

    return await withFreshToken(
      account,
      async (credentials) =>
        (await metricsOf(account.platform).fetchDemographics?.(credentials, platformPostId)) ??
        none,
    );
  } catch (failure) {
    logger.warn('The demographics of a post could not be read', {
      organizationId,
      accountId: targetAccountId,
      failure: describeFailure(failure),
    });

    return none;
  }
}
