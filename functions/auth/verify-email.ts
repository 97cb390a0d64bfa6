import { verifyEmail } from '#lib/features/accounts/verify-email.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/auth.ts';

export const handler = endpoint(contracts.verifyEmail, async ({ body, once }) => {
  await once((alongside) => verifyEmail(body.token, alongside));
});
