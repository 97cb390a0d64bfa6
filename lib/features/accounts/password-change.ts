import { requireUser } from '#lib/features/accounts/users/users.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { absent, allOf, below, either, equals } from '#lib/platform/db/conditions.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { type Alongside, ConditionNotMetError, change, write } from '#lib/platform/db/write.ts';
import { conflict, sessionInvalid, wrongPassword } from '#lib/platform/errors/failures.ts';
import { deviceSubject, type KnownDevice } from '#lib/platform/identity/known-device.ts';
import {
  consume,
  planClear,
  type RateLimitState,
  requireAllowed,
} from '#lib/platform/rate-limits/rate-limiter.ts';
import type * as contracts from '#schemas/auth.ts';
import type { BodyOf } from '#schemas/contract.ts';
import { rejectCommonPassword } from './common-passwords.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import { endSessionsOpenedSince, planEndOfSessions } from './sessions.ts';
import { planUserTokenUse, requireUserToken, tokenOutdated } from './user-tokens.ts';

/**
 * Sets a new password with a token from an email, and ends all of the user's sessions. Also marks
 * the address as verified, since following the link proves access to it. Failed sign-ins of the
 * address, and of this browser if the user knows it, are forgotten.
 *
 * @throws 400 if the password is too common, or if the token is invalid, was sent to a former address, or is older than the current
 *   password. A link in an old email must not grant access again.
 */
export async function resetPassword(
  { token, newPassword }: BodyOf<typeof contracts.resetPassword>,
  device: KnownDevice | undefined,
  alongside: Alongside<void>,
): Promise<void> {
  rejectCommonPassword('newPassword', newPassword);
  const { userId, email, issuedAt } = await requireUserToken('passwordReset', token);
  // Outside the transaction: sign-in attempts of strangers would conflict with it.
  const [passwordHash] = await Promise.all([
    hashPassword(newPassword),
    write(planClear('loginAddress', email)),
    ...(device?.userId === userId ? [write(planClear('loginDevice', deviceSubject(device)))] : []),
  ]);
  const endings = await planEndOfSessions(userId);
  await write(
    ...(await alongside()),
    planUserTokenUse(token),
    change(keys.user(userId), {
      // A user who signed up with Google has a password from now on.
      set: {
        ...newPasswordAttributes(passwordHash),
        authProvider: 'LOCAL',
        emailVerified: true,
      },
      when: allOf(
        equals('email', email),
        either(absent('passwordSetAt'), below('passwordSetAt', issuedAt)),
      ),
      refused: tokenOutdated,
    }),
    ...endings,
  );
  await endSessionsOpenedSince(userId);
}

/**
 * Replaces the current password and ends the user's other sessions. Wrong current passwords are
 * limited, so that a stolen session cannot be used to guess it. They do not count as failed
 * sign-ins: strangers who provoke those cannot prevent a change.
 *
 * @throws 400 if the new password is too common, 401 if the current one is wrong, 429 after too many
 *   attempts.
 */
export async function changePassword(
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
  { currentPassword, newPassword }: BodyOf<typeof contracts.changePassword>,
  counted: (states: readonly RateLimitState[]) => void,
  alongside: Alongside<void>,
): Promise<void> {
  rejectCommonPassword('newPassword', newPassword);
  const [user, limit] = await Promise.all([requireUser(userId), consume('passwordChange', userId)]);
  counted([limit]);
  requireAllowed([limit]);
  if (!(await verifyPassword(currentPassword, user.passwordHash))) {
    throw wrongPassword();
  }
  const [passwordHash, endings] = await Promise.all([
    hashPassword(newPassword),
    planEndOfSessions(userId, sessionId),
    limit.giveBack(),
  ]);
  try {
    await write(
      ...(await alongside()),
      change(keys.user(userId), {
        set: newPasswordAttributes(passwordHash),
        when: equals('passwordHash', user.passwordHash),
      }),
      change(keys.session(userId, sessionId), {
        set: { passwordChangedAt: timestamp() },
        refused: () => sessionInvalid(),
      }),
      ...endings,
    );
  } catch (failure) {
    throw failure instanceof ConditionNotMetError
      ? conflict('Another request changed the password')
      : failure;
  }
  await endSessionsOpenedSince(userId, sessionId);
}

/** The new `passwordSetAt` invalidates all reset tokens issued earlier. */
function newPasswordAttributes(passwordHash: string) {
  const passwordSetAt = timestamp();

  return { passwordHash, passwordSetAt, updatedAt: passwordSetAt };
}
