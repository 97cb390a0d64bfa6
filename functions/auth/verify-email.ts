import { verifyEmail as confirmAddress } from '#lib/auth/verify-email.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { verifyEmail } from '#schemas/auth.ts';

export const handler = endpoint(verifyEmail, async ({ body, once }) => {
  await once((alongside) => confirmAddress(body.token, alongside));

  return { message: 'Email verified successfully' };
});
