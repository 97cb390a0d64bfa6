import { requestEmailVerification } from '#lib/auth/profile.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { requireUser } from '#lib/users/users.ts';
import * as contracts from '#schemas/auth.ts';

export const handler = endpoint(
  contracts.requestEmailVerification,
  async ({ caller, once }) => {
    await once((alongside) => requestEmailVerification(caller.userId, alongside));

    return { message: 'If the address is not confirmed yet, a mail with a link is on its way' };
  },
  { ahead: ({ userId }) => requireUser(userId) },
);
