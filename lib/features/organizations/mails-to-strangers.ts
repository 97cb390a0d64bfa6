import type { User } from '#lib/features/users/users.ts';
import { consume, type RateLimitState } from '#lib/platform/rate-limits/rate-limiter.ts';

/**
 * Counts a mail that a user causes to an address of their choice. Strangers receive it, so the
 * number is limited, and more so before we can reach the user.
 */
export function countMailToStranger(
  { userId, emailVerified }: User,
  email: string,
): Promise<readonly RateLimitState[]> {
  return Promise.all([
    consume('invitationAddress', email),
    ...(emailVerified ? [] : [consume('invitationUnverified', userId)]),
  ]);
}
