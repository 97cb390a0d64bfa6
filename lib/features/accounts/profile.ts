import {
  planEmailReclaim,
  planEmailReservation,
  requireUser,
  type User,
} from '#lib/features/accounts/users/users.ts';
import { epochSeconds, timestamp } from '#lib/platform/clock.ts';
import { hashToken } from '#lib/platform/crypto/one-time-token.ts';
import { isNotYet } from '#lib/platform/db/changes-something.ts';
import { allOf, equals, unchanged } from '#lib/platform/db/conditions.ts';
import { keys } from '#lib/platform/db/keys.ts';
import {
  type Alongside,
  ConditionNotMetError,
  change,
  put,
  write,
} from '#lib/platform/db/write.ts';
import { changeIfMet } from '#lib/platform/db/write-if-met.ts';
import { conflict } from '#lib/platform/errors/failures.ts';
import { emailChangedMail, emailVerificationMail } from '#lib/platform/mail/mails.ts';
import { planMail } from '#lib/platform/mail/outgoing-mail.ts';
import {
  consume,
  type RateLimitState,
  requireAllowed,
} from '#lib/platform/rate-limits/rate-limiter.ts';
import type { updateMe } from '#schemas/auth.ts';
import type { BodyOf } from '#schemas/contract.ts';
import { planUserToken, tokenLifetimesSeconds } from './user-tokens.ts';

export type ProfilePatch = BodyOf<typeof updateMe>;

/**
 * Updates the given fields of a user. Values that are already set cause no write. A new address is
 * claimed and the old one reserved in the same transaction. It is unverified until the user follows
 * the link sent to it. The old address gets a link that reverts the change.
 *
 * @throws 409 if the address belongs to another user, 429 after too many address changes.
 */
export async function updateProfile(
  userId: string,
  patch: ProfilePatch,
  counted: (states: readonly RateLimitState[]) => void,
): Promise<User> {
  const { email, ...names } = patch;
  const hasNames = Object.values(names).some((value) => value !== undefined);
  if (email === undefined && hasNames) {
    return changeNames(userId, names);
  }
  const user = await requireUser(userId);
  if (email !== undefined && email !== user.email) {
    // Each change sends an email to an address that may belong to a stranger.
    const limit = await consume('emailChange', userId);
    counted([limit]);
    requireAllowed([limit]);
    await changeEmail(user, email, names);
  } else if (hasNames) {
    return changeNames(userId, names);
  } else {
    return user;
  }

  return requireUser(userId);
}

async function changeNames(userId: string, names: Omit<ProfilePatch, 'email'>): Promise<User> {
  const changed = await changeIfMet<User>(
    change(keys.user(userId), {
      set: { ...names, updatedAt: timestamp() },
      when: isNotYet(names),
    }),
  );

  return changed ?? requireUser(userId);
}

async function changeEmail(
  { userId, email: oldEmail, emailChanges }: User,
  email: string,
  names: Omit<ProfilePatch, 'email'>,
): Promise<void> {
  const changesBefore = emailChanges ?? 0;
  const verification = planUserToken('emailVerification', { userId, email });
  const revert = planUserToken('emailRevert', { userId, email: oldEmail, changesBefore });
  const { emailRevert: revertSeconds } = tokenLifetimesSeconds;
  const letters = [
    emailVerificationMail(email, verification.token),
    emailChangedMail({ to: oldEmail, newEmail: email, token: revert.token }),
  ];
  const mails = await Promise.all(letters.map((letter) => planMail(keys.user(userId), letter)));
  try {
    await write(
      planEmailReclaim(email, userId),
      planEmailReservation(oldEmail, userId, revertSeconds),
      change(keys.user(userId), {
        set: { ...names, email, emailVerified: false, updatedAt: timestamp() },
        add: { emailChanges: 1 },
        when: allOf(equals('email', oldEmail), unchanged('emailChanges', emailChanges)),
      }),
      put(keys.formerEmail(userId, changesBefore), {
        tokenHash: hashToken(revert.token),
        expiresAtSeconds: epochSeconds(revertSeconds),
      }),
      verification.write,
      revert.write,
      ...mails,
    );
  } catch (failure) {
    throw failure instanceof ConditionNotMetError
      ? conflict('Another request is changing the email address. Try again')
      : failure;
  }
}

/** Sends an email to verify the user's address. Does nothing if it is already verified. */
export async function requestEmailVerification(
  userId: string,
  alongside: Alongside<void>,
): Promise<void> {
  const user = await requireUser(userId);
  if (user.emailVerified) {
    return;
  }
  const verification = planUserToken('emailVerification', user);
  const mail = await planMail(
    keys.user(userId),
    emailVerificationMail(user.email, verification.token),
  );
  await write(...(await alongside()), verification.write, mail);
}
