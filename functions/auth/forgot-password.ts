import { sendPasswordReset } from '#lib/features/auth/send-password-reset.ts';
import { findUserIdByEmail } from '#lib/features/users/users.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { consume, requireAllowed } from '#lib/platform/rate-limits/rate-limiter.ts';
import { forgotPassword } from '#schemas/auth.ts';

/** Neither the response nor its duration reveals whether the address is known. */
export const handler = endpoint(forgotPassword, async ({ body, reply, idempotently }) => {
  const { email } = body;
  const [limit, userId] = await Promise.all([
    consume('passwordResetAddress', email),
    findUserIdByEmail(email),
  ]);
  reply.rateLimits([limit]);
  requireAllowed([limit]);
  await idempotently((extraWrites) => sendPasswordReset(email, userId, extraWrites));
});
