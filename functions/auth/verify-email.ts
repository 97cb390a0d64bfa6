import { verifyEmail } from '#lib/features/auth/verify-email.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/auth.ts';

export const handler = endpoint(contracts.verifyEmail, async ({ body, idempotently }) => {
  await idempotently((extraWrites) => verifyEmail(body.token, extraWrites));
});
