import { presentAccount } from '#lib/features/social/accounts/messaging-state.ts';
import { connectAccount } from '#lib/features/social/connection/connect-account.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { connectSocialAccount } from '#schemas/social.ts';

export const handler = endpoint(connectSocialAccount, async (request) => {
  const { organizationId, caller, body, once } = request;
  const account = await once((alongside) =>
    connectAccount(organizationId, { userId: caller.userId }, body, alongside),
  );

  return { socialAccount: presentAccount(account) };
});
