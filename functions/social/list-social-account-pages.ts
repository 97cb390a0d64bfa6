import { withinCallLimits } from '#lib/features/social/accounts/call-limits.ts';
import { withFreshToken } from '#lib/features/social/tokens/fresh-credentials.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { asAnswer } from '#lib/vendors/networks/network-error.ts';
import { accountTokensOf } from '#lib/vendors/networks/ports/tokens.ts';
import { listSocialAccountPages } from '#schemas/social.ts';

export const handler = endpoint(
  listSocialAccountPages,
  async ({ organizationId, params, reply }) => {
    const pages = await withinCallLimits(
      { organizationId, accountId: params.account_id, limit: 'accountPages', reply },
      (account) => asAnswer(withFreshToken(account, accountTokensOf(account.platform).listPages)),
    );

    return {
      pages: pages.map((page) => ({ ...page, id: page.platformPageId })),
      total: pages.length,
    };
  },
);
