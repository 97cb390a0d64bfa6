import { countedUntilDone } from '#lib/features/accounts/confirm-identity.ts';
import { disableTwoFactor } from '#lib/features/accounts/disable-two-factor.ts';
import { requireUser } from '#lib/features/accounts/users/users.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/auth.ts';

export const handler = endpoint(
  contracts.disableTwoFactor,
  async ({ caller, body, reply, once }) => {
    await once((alongside) =>
      countedUntilDone(caller.userId, reply.rateLimits, async () =>
        disableTwoFactor(await requireUser(caller.userId), body, alongside),
      ),
    );
  },
  { ahead: ({ userId }) => requireUser(userId) },
);
