import { requireSocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { withFreshToken } from '#lib/features/social/tokens/fresh-credentials.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { asAnswer } from '#lib/vendors/networks/network-error.ts';
import { listSocialAccountPages } from '#schemas/social.ts';

export const handler = endpoint(listSocialAccountPages, async ({ organizationId, params }) => {
  const account = await requireSocialAccount(organizationId, params.account_id);
  const pages = await asAnswer(
    withFreshToken(account, (network, credentials) => network.listPages(credentials)),
  );

  return {
    pages: pages.map((page) => ({ ...page, id: page.platformPageId })),
    total: pages.length,
  };
});
