import { resetPassword as setNewPassword } from '#lib/auth/password-change.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { resetPassword } from '#schemas/auth.ts';

export const handler = endpoint(resetPassword, async ({ body, once }) => {
  await once((alongside) => setNewPassword(body.token, body.newPassword, alongside));

  return { message: 'Password reset successfully' };
});
