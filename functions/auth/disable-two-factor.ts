import { countAttempt } from '#lib/features/auth/confirm-identity.ts';
import { disableTwoFactor } from '#lib/features/auth/disable-two-factor.ts';
import { requireUser } from '#lib/features/users/users.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/auth.ts';

export const handler = endpoint(
  contracts.disableTwoFactor,
  async ({ caller, body, reply, idempotently }) => {
    await idempotently((extraWrites) =>
      countAttempt(caller.userId, reply.rateLimits, async () =>
        disableTwoFactor(await requireUser(caller.userId), body, extraWrites),
      ),
    );
  },
);
