import { endpoint } from '#lib/http/endpoint.ts';
import { requireSocialAccount } from '#lib/social/accounts.ts';
import { asAnswer } from '#lib/social/networks/network-failure.ts';
import { withFreshToken } from '#lib/social/tokens/fresh-credentials.ts';
import { listSocialAccountPages } from '#schemas/social.ts';

export const handler = endpoint(listSocialAccountPages, async ({ organizationId, params }) => {
  const account = await requireSocialAccount(organizationId, params.account_id);
  const pages = await asAnswer(
    withFreshToken(account, (network, credentials) => network.listPages(credentials)),
  );

  return {
    pages: pages.map((page) => ({ ...page, id: page.platformPageId })),
    total: pages.length,
    message: 'Platform pages retrieved successfully',
  };
});
