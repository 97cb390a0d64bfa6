import { changePassword } from '#lib/features/auth/password-change.ts';
import { passwordProblems } from '#lib/features/auth/weak-passwords.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/auth.ts';

export const handler = endpoint(
  contracts.changePassword,
  async ({ caller, body, reply, idempotently }) => {
    await idempotently((extraWrites) =>
      changePassword(caller, body, reply.rateLimits, extraWrites),
    );
  },
  { rules: ({ body }) => passwordProblems('newPassword', body.newPassword) },
);
