import { endpoint } from '#lib/http/endpoint.ts';
import { updateSocialAccount as patch, presentSocialAccount } from '#lib/social/accounts.ts';
import { updateSocialAccount } from '#schemas/social.ts';

export const handler = endpoint(
  updateSocialAccount,
  async ({ organizationId, caller, params, body }) => {
    const account = await patch(organizationId, caller.userId, params.account_id, body);

    return {
      socialAccount: presentSocialAccount(account),
      message: 'Social account updated successfully',
    };
  },
);
