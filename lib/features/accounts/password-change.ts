import { requireUser } from '#lib/features/accounts/users/users.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { absent, allOf, below, either, equals } from '#lib/platform/db/conditions.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { type Alongside, ConditionNotMet, change, write } from '#lib/platform/db/write.ts';
import { ApiError } from '#lib/platform/errors/api-error.ts';
import { conflict } from '#lib/platform/errors/failures.ts';
import {
  consume,
  type RateLimitState,
  requireAllowed,
} from '#lib/platform/rate-limits/rate-limiter.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import { endSessionsOpenedMeanwhile, planEndOfSessions } from './sessions.ts';
import { requireUserToken, tokenOutdated, useUserToken } from './user-tokens.ts';

/**
 * Sets a new password with the token of a mail, and ends all of the user's sessions with it. Who
 * follows a link in a mail has the address, too.
 *
 * @throws 400 for a token that is not good, or not for the address that the user has now, or that
 * was sent before the password was set: a link in an old mail must not open the account once more.
 */
export async function resetPassword(
  token: string,
  newPassword: string,
  alongside: Alongside<void>,
): Promise<void> {
  const { userId, email, issuedAt } = await requireUserToken('passwordReset', token);
  const passwordHash = await hashPassword(newPassword);
  const endings = await planEndOfSessions(userId);
  await write(
    ...(await alongside()),
    useUserToken(token),
    change(keys.user(userId), {
      set: { ...newlySet(passwordHash), emailVerified: true },
      when: allOf(
        equals('email', email),
        either(absent('passwordSetAt'), below('passwordSetAt', issuedAt)),
      ),
      refused: tokenOutdated,
    }),
    ...endings,
  );
  await endSessionsOpenedMeanwhile(userId);
}

/**
 * Sets a new password in place of the current one, and ends the user's other sessions with it.
 * Wrong ones count as failed sign-ins: a stolen session must not be good for guessing.
 *
 * @throws 401 where the current password is another, 429 after too many of those.
 */
export async function changePassword(
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
  counted: (states: readonly RateLimitState[]) => void,
  alongside: Alongside<void>,
): Promise<void> {
  const user = await requireUser(userId);
  const limit = await consume('loginAddress', user.email);
  counted([limit]);
  requireAllowed([limit]);
  if (!(await verifyPassword(currentPassword, user.passwordHash))) {
    throw new ApiError('unauthorized', 'Current password is incorrect');
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
        set: newlySet(passwordHash),
        when: equals('passwordHash', user.passwordHash),
      }),
      ...endings,
    );
  } catch (failure) {
    throw failure instanceof ConditionNotMet
      ? conflict('Another request changed the password')
      : failure;
  }
  await endSessionsOpenedMeanwhile(userId, sessionId);
}

/** Voids every token for a reset that was sent before. */
function newlySet(passwordHash: string) {
  const passwordSetAt = timestamp();

  return { passwordHash, passwordSetAt, updatedAt: passwordSetAt };
}
