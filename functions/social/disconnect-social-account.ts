import { endpoint } from '#lib/http/endpoint.ts';
import { disconnectAccount } from '#lib/social/disconnect-account.ts';
import { disconnectSocialAccount } from '#schemas/social.ts';

export const handler = endpoint(
  disconnectSocialAccount,
  async ({ organizationId, caller, params }) => {
    await disconnectAccount(organizationId, caller.userId, params.account_id);

    return { message: 'Social account disconnected successfully' };
  },
);
