import { sendPasswordReset } from '#lib/features/accounts/send-password-reset.ts';
import { findUserIdByEmail } from '#lib/features/accounts/users/users.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { consume, requireAllowed } from '#lib/platform/rate-limits/rate-limiter.ts';
import { forgotPassword } from '#schemas/auth.ts';

/** Whether the address is known cannot be told from the answer. */
export const handler = endpoint(forgotPassword, async ({ body, reply, once }) => {
  const { email } = body;
  const [limit, userId] = await Promise.all([
    consume('passwordResetAddress', email),
    findUserIdByEmail(email),
  ]);
  reply.rateLimits([limit]);
  requireAllowed([limit]);
  if (userId) {
    await once((alongside) => sendPasswordReset({ userId, email }, alongside));
  }

  return {
    message: 'If the address belongs to an account, a mail with a link is on its way',
  };
});
