import { changePassword } from '#lib/features/accounts/password-change.ts';
import { requireUser } from '#lib/features/accounts/users/users.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/auth.ts';

export const handler = endpoint(
  contracts.changePassword,
  async ({ caller, body, reply, once }) => {
    await once((alongside) => changePassword(caller, body, reply.rateLimits, alongside));
  },
  { ahead: ({ userId }) => requireUser(userId) },
);
