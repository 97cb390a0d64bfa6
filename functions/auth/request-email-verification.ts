import { requestEmailVerification } from '#lib/features/accounts/profile.ts';
import { requireUser } from '#lib/features/accounts/users/users.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/auth.ts';

export const handler = endpoint(
  contracts.requestEmailVerification,
  async ({ caller, once }) => {
    await once((alongside) => requestEmailVerification(caller.userId, alongside));

    return {
      message: 'If your email address is not verified yet, we sent you a link to verify it',
    };
  },
  { ahead: ({ userId }) => requireUser(userId) },
);
