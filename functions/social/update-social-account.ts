import { updateSocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
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

    return { socialAccount: account };
  },
);
