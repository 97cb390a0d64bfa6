import {
  type EmailChain,
  fullName,
  planEmailReclaim,
  planEmailRelease,
  planEmailReservation,
  planReservationEnd,
  requireUser,
  type User,
} from '#lib/features/users/users.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { isNotYet } from '#lib/platform/db/changes-something.ts';
import { allOf, equals, unchanged } from '#lib/platform/db/conditions.ts';
import { ConditionNotMetError } from '#lib/platform/db/failures.ts';
import { userKeys } from '#lib/platform/db/keys/users.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { changeIfMet } from '#lib/platform/db/write-if-met.ts';
import { overtaken } from '#lib/platform/errors/failures.ts';
import { emailChangedMail, emailVerificationMail } from '#lib/platform/mail/mails.ts';
import { planMail } from '#lib/platform/mail/outgoing-mail.ts';
import { consumeAllowed, type RateLimitState } from '#lib/platform/rate-limits/rate-limiter.ts';
import type { updateMe } from '#schemas/auth.ts';
import type { BodyOf } from '#schemas/contract.ts';
import { countAttempt, requirePassword } from './confirm-identity.ts';
import { liveChainOf, nextChain } from './email-chain.ts';
import { planUserToken } from './user-tokens.ts';

type ProfilePatch = BodyOf<typeof updateMe>;
type Names = Omit<ProfilePatch, 'email' | 'currentPassword'>;

/**
 * Updates the given fields of a user. Values that are already set cause no write. A new address is
 * claimed in the same transaction. It is unverified until the user follows the link that is sent to
 * it. If the old address was verified, it is reserved and gets a link that reverts the change.
 *
 * @throws 401 for a wrong password, 409 if the address belongs to another user, 429 after too many
 * address changes or wrong passwords.
 */
export async function updateProfile(
  userId: string,
  patch: ProfilePatch,
  clientIp: string,
  counted: (states: readonly RateLimitState[]) => void,
): Promise<User> {
  const { email, currentPassword, ...names } = patch;
  if (currentPassword !== undefined) {
    const user = await requireUser(userId);
    await countAttempt(userId, counted, () => requirePassword(user, currentPassword));
  }
  const hasNames = Object.values(names).some((value) => value !== undefined);
  if (email === undefined && hasNames) {
    return changeNames(userId, names);
  }
  const user = await requireUser(userId);
  if (email !== undefined && email !== user.email) {
    // Each change sends an email to an address that may belong to a stranger.
    await consumeAllowed('emailChange', userId, counted);
    const isConfirmed = currentPassword !== undefined;
    await changeEmail(user, email, { names, isConfirmed, clientIp });
  } else if (hasNames) {
    return changeNames(userId, names);
  } else {
    return user;
  }

  return requireUser(userId);
}

async function changeNames(userId: string, names: Names): Promise<User> {
  const changed = await changeIfMet<User>(
    change(userKeys.user(userId), {
      set: { ...names, updatedAt: timestamp() },
      when: isNotYet(names),
    }),
  );

  return changed ?? requireUser(userId);
}

type EmailChange = {
  readonly names: Names;
  /** True if the user gave the password. */
  readonly isConfirmed: boolean;
  readonly clientIp: string;
};

async function changeEmail(
  user: User,
  email: string,
  { names, isConfirmed, clientIp }: EmailChange,
): Promise<void> {
  const { userId, email: oldEmail, emailChanges, emailChain, passwordHash } = user;
  const chain = nextChain(user, email, isConfirmed);
  const verification = planUserToken('emailVerification', { userId, email });
  const revert =
    chain.revertible === oldEmail
      ? planUserToken('emailRevert', { userId, email: oldEmail })
      : undefined;
  const letters = [
    emailVerificationMail({
      to: email,
      name: fullName(user),
      cause: 'change',
      at: timestamp(),
      clientIp,
      token: verification.token,
    }),
    emailChangedMail({ to: oldEmail, newEmail: email, token: revert?.token }),
  ];
  const mails = await Promise.all(letters.map((letter) => planMail(userKeys.user(userId), letter)));
  try {
    await write(
      planEmailReclaim(email, userId),
      revert
        ? planEmailReservation(oldEmail, userId, chain.endsAtSeconds)
        : planEmailRelease(oldEmail, userId),
      ...planEndOfLostReservation(user, email, chain),
      change(userKeys.user(userId), {
        set: { ...names, email, emailVerified: false, emailChain: chain, updatedAt: timestamp() },
        add: { emailChanges: 1 },
        when: allOf(
          equals('email', oldEmail),
          unchanged('emailChanges', emailChanges),
          unchanged('emailChain', emailChain),
          unchanged('passwordHash', passwordHash),
        ),
      }),
      verification.write,
      ...(revert ? [revert.write] : []),
      ...mails,
    );
  } catch (failure) {
    throw failure instanceof ConditionNotMetError
      ? overtaken('Another request is changing the email address. Try again')
      : failure;
  }
}

/** Releases an address that can no longer revert the changes, unless it is the old or new one. */
function planEndOfLostReservation(user: User, to: string, { revertible }: EmailChain) {
  const lost = liveChainOf(user)?.revertible;

  return lost && ![user.email, to, revertible].includes(lost)
    ? [planReservationEnd(lost, user.userId)]
    : [];
}
