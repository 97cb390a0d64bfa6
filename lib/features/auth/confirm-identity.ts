import type { User } from '#lib/features/users/users.ts';
import { wrongPassword } from '#lib/platform/errors/failures.ts';
import { consumeAllowed, type RateLimitState } from '#lib/platform/rate-limits/rate-limiter.ts';
import { verifyPassword } from './passwords.ts';

/** @throws 401 for a wrong password. */
export async function requirePassword({ passwordHash }: User, password: string): Promise<void> {
  if (!(await verifyPassword(password, passwordHash))) {
    throw wrongPassword();
  }
}

/**
 * Runs an action that requires the user's password or a code. Each try counts as a wrong password
 * until the action succeeds, so that a stolen session cannot be used to guess the password.
 *
 * @throws 429 after too many tries.
 */
export async function countAttempt<T>(
  userId: string,
  counted: (states: readonly RateLimitState[]) => void,
  action: () => Promise<T>,
): Promise<T> {
  const limit = await consumeAllowed('passwordChange', userId, counted);
  const result = await action();
  await limit.giveBack();

  return result;
}
