import type { User } from '#lib/features/users/users.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { userKeys } from '#lib/platform/db/keys/users.ts';
import { change, type ExtraWrites, write } from '#lib/platform/db/write.ts';
import { wrongState } from '#lib/platform/errors/failures.ts';
import { twoFactorDisabledMail } from '#lib/platform/mail/mails.ts';
import { planMail } from '#lib/platform/mail/outgoing-mail.ts';
import type * as contracts from '#schemas/auth.ts';
import type { BodyOf } from '#schemas/contract.ts';
import { requirePassword } from './confirm-identity.ts';
import { planLastCode } from './two-factor/last-code.ts';
import { planRecoveryCodeRemoval } from './two-factor/two-factor-record.ts';

const alreadyOff = () => wrongState('Two-factor authentication is off', 'DISABLED');

/**
 * Removes the user's second factor. Requires both factors one last time.
 *
 * @throws 409 if it is off, 401 for a wrong password, 400 for a wrong code.
 */
export async function disableTwoFactor(
  user: User,
  { password, code }: BodyOf<typeof contracts.disableTwoFactor>,
  extraWrites: ExtraWrites<void>,
): Promise<void> {
  const { userId, email, twoFactorEnabled } = user;
  if (!twoFactorEnabled) {
    throw alreadyOff();
  }
  await requirePassword(user, password);
  const use = await planLastCode(user, code);
  const [remaining, mail] = await Promise.all([
    planRecoveryCodeRemoval(userId, use.recoveryCode),
    planMail(userKeys.user(userId), twoFactorDisabledMail(email)),
  ]);
  await write(
    ...(await extraWrites()),
    ...use.writes,
    ...remaining,
    change(userKeys.user(userId), {
      set: { twoFactorEnabled: null, updatedAt: timestamp() },
      onConditionFailed: alreadyOff,
    }),
    mail,
  );
}
