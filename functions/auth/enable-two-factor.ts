import { enableTwoFactor } from '#lib/features/auth/two-factor/set-up.ts';
import { requireUser } from '#lib/features/users/users.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/auth.ts';

export const handler = endpoint(contracts.enableTwoFactor, async ({ caller, body, idempotently }) =>
  idempotently(async (extraWrites) =>
    enableTwoFactor(await requireUser(caller.userId), body.code, extraWrites),
  ),
);
