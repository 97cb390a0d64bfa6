import { presentAccount } from '#lib/features/social/accounts/messaging-state.ts';
import { connectAccount } from '#lib/features/social/connection/connect-account.ts';
import { businessTokenProblems } from '#lib/features/social/connection/messaging-credential.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { connectSocialAccount } from '#schemas/social.ts';

export const handler = endpoint(
  connectSocialAccount,
  async (request) => {
    const { organizationId, caller, body, idempotently } = request;
    const account = await idempotently((extraWrites) =>
      connectAccount(organizationId, { userId: caller.userId }, body, extraWrites),
    );

    return { socialAccount: presentAccount(account) };
  },
  { rules: ({ body }) => businessTokenProblems(body) },
);
