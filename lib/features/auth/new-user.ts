import {
  emailTaken,
  planEmailClaim,
  planEmailTakeover,
  type User,
} from '#lib/features/users/users.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { userKeys } from '#lib/platform/db/keys/users.ts';
import { create, type Write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { planAcceptedTerms } from './accepted-terms.ts';
import { type Origin, planSession } from './sessions.ts';

/** The credential of a new user. Users without one can sign in only through the operator. */
export type Credential = { readonly passwordHash: string } | { readonly googleSubject: string };

export function newUser(
  input: Pick<User, 'email' | 'firstName' | 'lastName' | 'timezone'>,
  credential: Credential | undefined,
  emailVerified: boolean,
): User {
  const now = timestamp();

  return {
    userId: newId(),
    email: input.email,
    firstName: input.firstName,
    lastName: input.lastName,
    timezone: input.timezone,
    authProvider: credential && 'googleSubject' in credential ? 'GOOGLE' : 'LOCAL',
    ...credential,
    emailVerified,
    createdAt: now,
    updatedAt: now,
    lastActiveAt: now,
  };
}

type FirstSession = {
  /** The current organization of the session. */
  readonly organizationId: string;
  readonly origin: Origin;
  /** The former user for whom the address is reserved. */
  readonly reservedFor: string | undefined;
  /** The error if another user has the address or the Google account. */
  readonly taken?: () => Error;
};

/**
 * Plans a user with a session and the consent to the terms of service. The email claim is the first
 * write, so that a conflict reports the taken address.
 */
export async function planSignedInUser(
  user: User,
  { organizationId, origin, reservedFor, taken = emailTaken }: FirstSession,
): Promise<{ readonly token: string; readonly writes: readonly Write[] }> {
  const { userId, email, googleSubject } = user;
  const session = await planSession(userId, organizationId, origin);

  return {
    token: session.token,
    writes: [
      ...(reservedFor
        ? planEmailTakeover(email, userId, reservedFor, taken)
        : [planEmailClaim(email, userId, taken)]),
      create(userKeys.user(userId), user),
      ...(googleSubject ? [create(userKeys.googleSubject(googleSubject), { userId }, taken)] : []),
      session.write,
      planAcceptedTerms(userId, origin),
    ],
  };
}
