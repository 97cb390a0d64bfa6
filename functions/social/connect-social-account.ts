import { endpoint } from '#lib/http/endpoint.ts';
import { presentSocialAccount } from '#lib/social/accounts.ts';
import { connectAccount } from '#lib/social/connect-account.ts';
import { connectSocialAccount } from '#schemas/social.ts';

export const handler = endpoint(connectSocialAccount, async ({ organizationId, caller, body }) => {
  const account = await connectAccount(organizationId, caller.userId, body);

  return {
    socialAccount: presentSocialAccount(account),
    message: 'Social account connected successfully',
  };
});
