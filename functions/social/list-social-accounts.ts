import {
  listSocialAccounts,
  presentLatestMetrics,
} from '#lib/features/social/accounts/accounts.ts';
import { presentAccount } from '#lib/features/social/accounts/messaging-state.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/social.ts';

export const handler = endpoint(contracts.listSocialAccounts, async ({ organizationId, query }) => {
  const { platform, isActive, includeStats = false } = query;
  const accounts = (await listSocialAccounts(organizationId)).filter(
    (account) =>
      (platform === undefined || account.platform === platform) &&
      (isActive === undefined || account.isActive === isActive),
  );

  return {
    socialAccounts: accounts.map((account) => ({
      ...presentAccount(account),
      stats: includeStats ? presentLatestMetrics(account) : null,
    })),
    total: accounts.length,
  };
});
