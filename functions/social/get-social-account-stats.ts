import { endpoint } from '#lib/http/endpoint.ts';
import { requireSocialAccount } from '#lib/social/accounts.ts';
import { readAccountStats, resolveRange } from '#lib/social/figures/account-stats.ts';
import { getSocialAccountStats } from '#schemas/social.ts';

export const handler = endpoint(
  getSocialAccountStats,
  async ({ organizationId, params, query }) => {
    const range = resolveRange(query);
    const account = await requireSocialAccount(organizationId, params.account_id);

    return {
      stats: await readAccountStats(account, range),
      message: 'Social account stats retrieved successfully',
    };
  },
);
