import { endpoint } from '#lib/http/endpoint.ts';
import {
  presentLatestFigures,
  presentSocialAccount,
  listSocialAccounts as readAccounts,
} from '#lib/social/accounts.ts';
import { listSocialAccounts } from '#schemas/social.ts';

export const handler = endpoint(listSocialAccounts, async ({ organizationId, query }) => {
  const { platform, isActive, includeStats = false } = query;
  const accounts = (await readAccounts(organizationId)).filter(
    (account) =>
      (platform === undefined || account.platform === platform) &&
      (isActive === undefined || account.isActive === isActive),
  );

  return {
    socialAccounts: accounts.map((account) => ({
      ...presentSocialAccount(account),
      stats: includeStats ? presentLatestFigures(account) : null,
    })),
    total: accounts.length,
    message: 'Social accounts retrieved successfully',
  };
});
