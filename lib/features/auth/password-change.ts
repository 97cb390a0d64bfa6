import { requireUser, type User } from '#lib/features/users/users.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { absent, allOf, below, either, equals } from '#lib/platform/db/conditions.ts';
import { ConditionNotMetError } from '#lib/platform/db/failures.ts';
import { userKeys } from '#lib/platform/db/keys/users.ts';
import { get } from '#lib/platform/db/read.ts';
import { change, type ExtraWrites, write } from '#lib/platform/db/write.ts';
import {
  overtaken,
  rejectProblems,
  sessionInvalid,
  wrongPassword,
} from '#lib/platform/errors/failures.ts';
import { deviceSubject, type KnownDevice } from '#lib/platform/identity/known-device.ts';
import {
  consumeAllowed,
  planClear,
  type RateLimitState,
} from '#lib/platform/rate-limits/rate-limiter.ts';
import type * as contracts from '#schemas/auth.ts';
import type { BodyOf } from '#schemas/contract.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import { endSessionsOpenedSince, planEndOfSessions } from './sessions.ts';
import { planUserTokenUse, requireUserToken, tokenOutdated } from './user-tokens.ts';
import { passwordProblems } from './weak-passwords.ts';

/**
 * Sets a new password with a token from an email, and ends all of the user's sessions. Also marks
 * the address as verified, because following the link proves access to it. Resets the failed
 * sign-ins of the address and, if the user knows this browser, of the browser.
 *
 * @throws 400 if the password contains personal data, or if the token is invalid, was sent to a
 * former address, or is older than the current password. A link in an old email must not grant
 * access again.
 */
export async function resetPassword(
  { token, newPassword }: BodyOf<typeof contracts.resetPassword>,
  device: KnownDevice | undefined,
  extraWrites: ExtraWrites<void>,
): Promise<void> {
  const { userId, email, issuedAt } = await requireUserToken('passwordReset', token);
  // Outside the transaction, because sign-in attempts of strangers would conflict with it.
  const [passwordHash, user] = await Promise.all([
    hashPassword(newPassword),
    get<User>(userKeys.user(userId)),
    write(planClear('loginAddress', email)),
    ...(device?.userId === userId ? [write(planClear('loginDevice', deviceSubject(device)))] : []),
  ]);
  if (!user) {
    throw tokenOutdated();
  }
  rejectProblems(passwordProblems('newPassword', newPassword, user));
  const endings = await planEndOfSessions(userId);
  await write(
    ...(await extraWrites()),
    planUserTokenUse(token),
    change(userKeys.user(userId), {
      // A user who signed up with Google now has a password.
      set: {
        ...newPasswordAttributes(passwordHash),
        authProvider: 'LOCAL',
        emailVerified: true,
      },
      when: allOf(
        equals('email', email),
        either(absent('passwordSetAt'), below('passwordSetAt', issuedAt)),
      ),
      onConditionFailed: tokenOutdated,
    }),
    ...endings,
  );
  await endSessionsOpenedSince(userId);
}

/**
 * Replaces the current password and ends the user's other sessions. Wrong current passwords are
 * limited, so that a stolen session cannot be used to guess it. They do not count as failed
 * sign-ins, so strangers who cause failed sign-ins cannot prevent a change.
 *
 * @throws 400 if the new password contains personal data, 401 if the current one is wrong, 429
 * after too many attempts.
 */
export async function changePassword(
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
  { currentPassword, newPassword }: BodyOf<typeof contracts.changePassword>,
  counted: (states: readonly RateLimitState[]) => void,
  extraWrites: ExtraWrites<void>,
): Promise<void> {
  const user = await requireUser(userId);
  rejectProblems(passwordProblems('newPassword', newPassword, user));
  const limit = await consumeAllowed('passwordChange', userId, counted);
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
      ...(await extraWrites()),
      change(userKeys.user(userId), {
        set: newPasswordAttributes(passwordHash),
        when: equals('passwordHash', user.passwordHash),
      }),
      change(userKeys.session(userId, sessionId), {
        set: { passwordChangedAt: timestamp() },
        onConditionFailed: () => sessionInvalid(),
      }),
      ...endings,
    );
  } catch (failure) {
    throw failure instanceof ConditionNotMetError
      ? overtaken('Another request changed the password')
      : failure;
  }
  await endSessionsOpenedSince(userId, sessionId);
}

/** The new `passwordSetAt` invalidates all reset tokens issued earlier. */
function newPasswordAttributes(passwordHash: string) {
  const passwordSetAt = timestamp();

  return { passwordHash, passwordSetAt, updatedAt: passwordSetAt };
}
