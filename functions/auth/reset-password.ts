import { resetPassword as setNewPassword } from '#lib/auth/password-change.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { resetPassword } from '#schemas/auth.ts';

export const handler = endpoint(resetPassword, async ({ body }) => {
  await setNewPassword(body.token, body.newPassword);

  return { message: 'Password reset successfully' };
});
