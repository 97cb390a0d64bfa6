import {
  claimEmail,
  releaseEmail,
  requireUser,
  type User,
} from '#lib/features/accounts/users/users.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { isNotYet } from '#lib/platform/db/changes-something.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { type Alongside, ConditionNotMet, change, write } from '#lib/platform/db/write.ts';
import { changeIfMet } from '#lib/platform/db/write-if-met.ts';
import { conflict } from '#lib/platform/errors/failures.ts';
import { emailChangedMail, emailVerificationMail } from '#lib/platform/mail/mails.ts';
import { planMail } from '#lib/platform/mail/outgoing-mail.ts';
import {
  consume,
  type RateLimitState,
  requireAllowed,
} from '#lib/platform/rate-limits/rate-limiter.ts';
import { planUserToken } from './user-tokens.ts';

export type ProfilePatch = {
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly nickname?: string | null | undefined;
  readonly email?: string | undefined;
};

/**
 * Changes what is given of a user; what is so already changes nothing. A new address is claimed and
 * the old one set free in the same transaction; it counts as unverified until the link in the mail to
 * it has been followed. The old one is told, if it was verified.
 *
 * @throws 409 for an address that somebody else has, 429 for too many addresses.
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
    // Each change sends a mail to an address that may be a stranger's.
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

/** @returns the user as they are then. */
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
  { userId, email: oldEmail, emailVerified }: User,
  email: string,
  names: Omit<ProfilePatch, 'email'>,
): Promise<void> {
  const verification = planUserToken('emailVerification', { userId, email });
  const letters = [
    emailVerificationMail(email, verification.token),
    ...(emailVerified ? [emailChangedMail(oldEmail, email)] : []),
  ];
  const mails = await Promise.all(letters.map((letter) => planMail(keys.user(userId), letter)));
  try {
    await write(
      claimEmail(email, userId),
      releaseEmail(oldEmail, userId),
      change(keys.user(userId), {
        set: { ...names, email, emailVerified: false, updatedAt: timestamp() },
        when: equals('email', oldEmail),
      }),
      verification.write,
      ...mails,
    );
  } catch (failure) {
    throw failure instanceof ConditionNotMet
      ? conflict('The address is being changed by another request, please try again')
      : failure;
  }
}

/** Sends the mail that verifies the user's address, once more or for the first time. */
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
