import { verifyEmail } from '#lib/auth/verify-email.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import * as contracts from '#schemas/auth.ts';

export const handler = endpoint(contracts.verifyEmail, async ({ body, once }) => {
  await once((alongside) => verifyEmail(body.token, alongside));

  return { message: 'Email verified successfully' };
});
