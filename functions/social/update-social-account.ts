import { endpoint } from '#lib/http/endpoint.ts';
import { presentSocialAccount, updateSocialAccount } from '#lib/social/accounts.ts';
import * as contracts from '#schemas/social.ts';

export const handler = endpoint(
  contracts.updateSocialAccount,
  async ({ organizationId, caller, params, body }) => {
    const account = await updateSocialAccount(
      organizationId,
      caller.userId,
      params.account_id,
      body,
    );

    return {
      socialAccount: presentSocialAccount(account),
      message: 'Social account updated successfully',
    };
  },
);
