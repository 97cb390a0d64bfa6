import type { User } from '#lib/features/accounts/users/users.ts';
import { badRequest, wrongPassword } from '#lib/platform/errors/failures.ts';
import {
  consume,
  type RateLimitState,
  requireAllowed,
} from '#lib/platform/rate-limits/rate-limiter.ts';
import { verifyPassword } from './passwords.ts';
import { type CodeUse, planCodeUse } from './two-factor/codes.ts';
import { findTwoFactor } from './two-factor/two-factor-record.ts';

/** @throws 401 for a wrong password. */
export async function requirePassword({ passwordHash }: User, password: string): Promise<void> {
  if (!(await verifyPassword(password, passwordHash))) {
    throw wrongPassword();
  }
}

/**
 * Plans the use of a code that turns two-factor authentication off.
 *
 * @throws 400 naming the field for a wrong code.
 */
export async function planLastCode(user: User, code: string): Promise<CodeUse> {
  return planCodeUse(user, await findTwoFactor(user.userId), code, {
    refused: () => badRequest('code is invalid'),
    isLast: true,
  });
}

/**
 * Runs an action that requires the user's password or a code. Each try counts as a wrong password
 * until the action succeeds, so that a stolen session cannot be used to guess.
 *
 * @throws 429 after too many tries.
 */
export async function countedUntilDone<T>(
  userId: string,
  counted: (states: readonly RateLimitState[]) => void,
  action: () => Promise<T>,
): Promise<T> {
  const limit = await consume('passwordChange', userId);
  counted([limit]);
  requireAllowed([limit]);
  const result = await action();
  await limit.giveBack();

  return result;
}
