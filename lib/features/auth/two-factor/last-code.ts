import type { User } from '#lib/features/users/users.ts';
import { badRequest } from '#lib/platform/errors/failures.ts';
import { type CodeUse, planCodeUse } from './codes.ts';
import { findTwoFactor } from './two-factor-record.ts';

/**
 * Plans the use of a code that turns off two-factor authentication.
 *
 * @throws 400 with the field for a wrong code.
 */
export async function planLastCode(user: User, code: string): Promise<CodeUse> {
  return planCodeUse(user, await findTwoFactor(user.userId), code, {
    onConditionFailed: () => badRequest('code is invalid'),
    isLast: true,
  });
}
