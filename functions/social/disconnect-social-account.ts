import { disconnectAccount } from '#lib/features/social/connection/disconnect-account.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { disconnectSocialAccount } from '#schemas/social.ts';

export const handler = endpoint(
  disconnectSocialAccount,
  async ({ organizationId, caller, params }) => {
    await disconnectAccount(organizationId, caller.userId, params.account_id);
  },
);
