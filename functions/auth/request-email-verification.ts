import { requestEmailVerification } from '#lib/features/auth/request-email-verification.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/auth.ts';

export const handler = endpoint(
  contracts.requestEmailVerification,
  async ({ caller, clientIp, idempotently }) => {
    await idempotently((extraWrites) =>
      requestEmailVerification(caller.userId, clientIp, extraWrites),
    );
  },
);
