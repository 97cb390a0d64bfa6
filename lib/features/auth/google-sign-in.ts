import { loadUser } from '#lib/features/users/load-user.ts';
import {
  findUserIdByEmail,
  planCredentialsUnchanged,
  type User,
} from '#lib/features/users/users.ts';
import { ConditionNotMetError } from '#lib/platform/db/failures.ts';
import { userKeys } from '#lib/platform/db/keys/users.ts';
import { get } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { noExtraWrites } from '#lib/platform/db/write.ts';
import { ApiError, apiError, badRequest } from '#lib/platform/errors/failures.ts';
import {
  consumeAllowed,
  giveBackAllowed,
  type RateLimitState,
} from '#lib/platform/rate-limits/rate-limiter.ts';
import { type GooglePerson, verifyGoogleIdToken } from '#lib/vendors/google/id-token.ts';
import type * as contracts from '#schemas/auth.ts';
import type { BodyOf } from '#schemas/contract.ts';
import { namesOf } from './google-names.ts';
import { signInWithFirstLink } from './link-google.ts';
import { openSession, type SignedIn, secondFactorRequired } from './open-session.ts';
import { type NewAccount, type Registered, register } from './register.ts';
import type { Origin } from './sessions.ts';

type Input = BodyOf<typeof contracts.signInWithGoogle>;

export type GoogleSignIn =
  | { readonly isNew: false; readonly signedIn: SignedIn }
  | { readonly isNew: true; readonly registered: Registered };

/**
 * Signs in the user who is linked to a Google account. If there is none, links the user whose
 * address both sides have verified. For an unknown address, registers a user.
 *
 * Needs no idempotency key, because a repeated signup finds the existing account and signs in.
 *
 * @throws 401 for an invalid token or if a second factor is required, 404 for an unknown address
 * without the fields of a signup, 409 if the address belongs to a user who has not verified it.
 */
export async function signInWithGoogle(
  { idToken, ...signup }: Input,
  origin: Origin,
  counted: (states: readonly RateLimitState[]) => void,
): Promise<GoogleSignIn> {
  const person = await verifyCounted(idToken, origin, counted);
  const signedIn = await findAndSignIn(person, origin);
  if (signedIn) {
    return { isNew: false, signedIn };
  }
  const account = accountOf(person, signup);
  await consumeAllowed('signup', origin.clientIp, counted);
  try {
    return { isNew: true, registered: await registerWithGoogle(person, account, origin) };
  } catch (failure) {
    // A concurrent request with the same Google account may have registered the user.
    const other =
      failure instanceof ApiError && failure.kind === 'conflict'
        ? await findAndSignIn(person, origin)
        : undefined;
    if (!other) {
      throw failure;
    }

    return { isNew: false, signedIn: other };
  }
}

/** Invalid tokens count as failed sign-ins of the IP address. */
async function verifyCounted(
  idToken: string,
  { clientIp }: Origin,
  counted: (states: readonly RateLimitState[]) => void,
): Promise<GooglePerson> {
  const limit = await consumeAllowed('loginIp', clientIp, counted);
  try {
    const person = await verifyGoogleIdToken(idToken);
    await giveBackAllowed([limit]);

    return person;
  } catch (failure) {
    if (!(failure instanceof ApiError && failure.kind === 'unauthorized')) {
      await giveBackAllowed([limit]);
    }
    throw failure;
  }
}

/** Returns undefined if neither the Google account nor a user with the address is known. */
function findAndSignIn(person: GooglePerson, origin: Origin): Promise<SignedIn | undefined> {
  return retryWhenOvertaken('account', async () => {
    const [link, userIdOfEmail] = await Promise.all([
      get<{ readonly userId: string }>(userKeys.googleSubject(person.subject)),
      findUserIdByEmail(person.email),
    ]);
    const userId = link?.userId ?? userIdOfEmail;
    if (!userId) {
      return undefined;
    }
    const { user, memberships } = await loadUser(userId);
    // A concurrent request may have linked the account after the link was read.
    const isJustLinked = !link && user?.googleSubject === person.subject;
    if (!user || isJustLinked) {
      throw new ConditionNotMetError(userKeys.user(userId), user);
    }
    if (!link) {
      requireLinkable(user, person);
    }
    if (user.twoFactorEnabled) {
      throw await secondFactorRequired(user, link ? undefined : person.subject);
    }
    if (!link) {
      const googleSubject = person.subject;

      return signInWithFirstLink({ user, memberships, googleSubject, origin });
    }

    return openSession(user, memberships, origin, [
      planCredentialsUnchanged(user, () => new ConditionNotMetError(userKeys.user(userId), user)),
    ]);
  });
}

/** An address identifies a user only once, and only if both sides have verified it. */
function requireLinkable(user: User, { email }: GooglePerson): void {
  if (!user.emailVerified || user.email !== email || user.googleSubject !== undefined) {
    throw apiError(
      'ACCOUNT_EXISTS',
      'An account with this email address exists. Sign in with its password',
    );
  }
}

function registerWithGoogle(
  { subject }: GooglePerson,
  account: NewAccount,
  origin: Origin,
): Promise<Registered> {
  const credential = () => ({ googleSubject: subject });

  return register(account, { credential, isEmailProven: true }, origin, noExtraWrites);
}

/** @throws 404 without any field of a signup, 400 with the missing fields. */
function accountOf(person: GooglePerson, signup: Omit<Input, 'idToken'>): NewAccount {
  const { organizationName, paymentMethodId, timezone, invitationToken } = signup;
  if (Object.values(signup).every((value) => value === undefined || value === null)) {
    throw apiError('SIGNUP_REQUIRED', 'No account exists for this email address. Sign up first');
  }
  if (!organizationName || !paymentMethodId) {
    const fields = Object.entries({ organizationName, paymentMethodId });
    throw badRequest(
      ...fields.filter(([, value]) => !value).map(([field]) => `${field} is required`),
    );
  }

  return {
    email: person.email,
    ...namesOf(person),
    organizationName,
    paymentMethodId,
    timezone: timezone ?? 'UTC',
    invitationToken,
  };
}
