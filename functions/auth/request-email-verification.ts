import { requestEmailVerification as sendVerification } from '#lib/auth/profile.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { requireUser } from '#lib/users/users.ts';
import { requestEmailVerification } from '#schemas/auth.ts';

export const handler = endpoint(
  requestEmailVerification,
  async ({ caller, once }) => {
    await once((alongside) => sendVerification(caller.userId, alongside));

    return {
      message: 'If your email address is not verified yet, we sent you a link to verify it',
    };
  },
  { ahead: ({ userId }) => requireUser(userId) },
);
