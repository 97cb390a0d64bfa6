import type { User } from '#lib/features/users/users.ts';
import { consume, type RateLimitState } from '#lib/platform/rate-limits/rate-limiter.ts';

/**
 * Counts a mail from a user to an address of their choice. Strangers receive it, so the number is
 * limited. The limit is lower for users whom we cannot reach yet.
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
