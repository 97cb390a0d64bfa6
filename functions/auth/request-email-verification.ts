import { requestEmailVerification } from '#lib/features/accounts/profile.ts';
import { requireUser } from '#lib/features/accounts/users/users.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/auth.ts';

export const handler = endpoint(
  contracts.requestEmailVerification,
  async ({ caller, once }) => {
    await once((alongside) => requestEmailVerification(caller.userId, alongside));
  },
  { ahead: ({ userId }) => requireUser(userId) },
);
