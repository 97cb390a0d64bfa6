import { changePassword } from '#lib/auth/password-change.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { requireUser } from '#lib/users/users.ts';
import * as contracts from '#schemas/auth.ts';

export const handler = endpoint(
  contracts.changePassword,
  async ({ caller, body, reply, once }) => {
    await once((alongside) => changePassword(caller, body, reply.rateLimits, alongside));

    return { message: 'Password changed successfully' };
  },
  { ahead: ({ userId }) => requireUser(userId) },
);
