import { endpoint } from '#lib/http/endpoint.ts';
import { presentSocialAccount } from '#lib/social/accounts.ts';
import { connectAccount } from '#lib/social/connect-account.ts';
import { connectSocialAccount } from '#schemas/social.ts';

export const handler = endpoint(connectSocialAccount, async (request) => {
  const { organizationId, caller, body, once } = request;
  const account = await once((alongside) =>
    connectAccount(organizationId, caller.userId, body, alongside),
  );

  return {
    socialAccount: presentSocialAccount(account),
    message: 'Social account connected successfully',
  };
});
