import { enableTwoFactor } from '#lib/features/accounts/two-factor/set-up.ts';
import { findTwoFactor } from '#lib/features/accounts/two-factor/two-factor-record.ts';
import { requireUser } from '#lib/features/accounts/users/users.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/auth.ts';

export const handler = endpoint(
  contracts.enableTwoFactor,
  async ({ caller, body, once }) =>
    once(async (alongside) =>
      enableTwoFactor(await requireUser(caller.userId), body.code, alongside),
    ),
  { ahead: ({ userId }) => Promise.all([requireUser(userId), findTwoFactor(userId)]) },
);
