import { syncAccount } from '#lib/features/content/importing/sync-account.ts';
import { withinCallLimits } from '#lib/features/social/accounts/call-limits.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { syncSocialAccount } from '#schemas/social.ts';

export const handler = endpoint(
  syncSocialAccount,
  async ({ organizationId, params, body, reply }) => ({
    syncResult: await withinCallLimits(
      { organizationId, accountId: params.account_id, limit: 'accountSync', reply },
      (account) => syncAccount(account, body),
    ),
  }),
);
