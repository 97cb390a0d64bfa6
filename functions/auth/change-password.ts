import { changePassword as setNewPassword } from '#lib/auth/password-change.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { requireUser } from '#lib/users/users.ts';
import { changePassword } from '#schemas/auth.ts';

export const handler = endpoint(
  changePassword,
  async ({ caller, body, reply, once }) => {
    await once((alongside) => setNewPassword(caller, body, reply.rateLimits, alongside));

    return { message: 'Password changed successfully' };
  },
  { ahead: ({ userId }) => requireUser(userId) },
);
