import { endKeysOf, planNoNewKeys } from '#lib/features/organizations/api-keys.ts';
import { type EmailChain, planReservationEnd, type User } from '#lib/features/users/users.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { absent, allOf, type Condition, equals, unchanged } from '#lib/platform/db/conditions.ts';
import { userKeys } from '#lib/platform/db/keys/users.ts';
import { change, create, type Write } from '#lib/platform/db/write.ts';
import type { Membership } from '#lib/platform/identity/identity.ts';
import { googleLinkedMail } from '#lib/platform/mail/mails.ts';
import { planMail } from '#lib/platform/mail/outgoing-mail.ts';
import { liveChainOf } from './email-chain.ts';
import { openSession, type SignedIn } from './open-session.ts';
import { endSessionsOpenedSince, type Origin, planEndOfSessions } from './sessions.ts';
import { unmatchableHash } from './unmatchable-hash.ts';

type FirstSignIn = {
  readonly user: User;
  readonly memberships: readonly Membership[];
  readonly googleSubject: string;
  readonly origin: Origin;
};

/**
 * Links a Google account to the user with the same verified address, and opens a session.
 *
 * Somebody else may have signed up with the address, and waited until its owner verified it. So
 * everything else that gives access to the account is removed: sessions, password, API keys, revert
 * links and known browsers. A reset link sets a new password.
 *
 * @param writes go into the same transaction.
 * @param when must be true for the user.
 */
export async function signInWithFirstLink(
  { user, memberships, googleSubject, origin }: FirstSignIn,
  writes: readonly Write[] = [],
  when?: Condition,
): Promise<SignedIn> {
  const { userId, email } = user;
  const noNewKeys = await planNoNewKeys(userId);
  await endKeysOf(userId);
  const [endings, mail] = await Promise.all([
    planEndOfSessions(userId),
    planMail(userKeys.user(userId), googleLinkedMail(email)),
  ]);
  const signedIn = await openSession(user, memberships, origin, [
    ...writes,
    create(userKeys.googleSubject(googleSubject), { userId }),
    planUserLink(user, googleSubject, when),
    ...planEndOfReservation(user, liveChainOf(user)),
    ...noNewKeys,
    ...endings,
    mail,
  ]);
  await endSessionsOpenedSince(userId, signedIn.sessionId);

  return signedIn;
}

function planUserLink(user: User, googleSubject: string, when: Condition | undefined): Write {
  const { userId, email, passwordHash, twoFactorEnabled, emailChain } = user;
  const now = timestamp();

  return change(userKeys.user(userId), {
    set: {
      googleSubject,
      passwordHash: unmatchableHash(),
      passwordSetAt: now,
      emailChain: null,
      devicesKnownSince: now,
      updatedAt: now,
    },
    when: allOf(
      absent('googleSubject'),
      equals('email', email),
      equals('emailVerified', true),
      unchanged('passwordHash', passwordHash),
      unchanged('twoFactorEnabled', twoFactorEnabled),
      unchanged('emailChain', emailChain),
      ...(when ? [when] : []),
    ),
  });
}

function planEndOfReservation({ userId, email }: User, chain: EmailChain | undefined) {
  const reserved = chain?.revertible;

  return reserved && reserved !== email ? [planReservationEnd(reserved, userId)] : [];
}
