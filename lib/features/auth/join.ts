import { planAcceptance, requireInvitationFor } from '#lib/features/organizations/invitations.ts';
import {
  presentOrganization,
  requireOrganization,
} from '#lib/features/organizations/organizations.ts';
import { findEmailClaim, presentUser, type User } from '#lib/features/users/users.ts';
import { userKeys } from '#lib/platform/db/keys/users.ts';
import { get } from '#lib/platform/db/read.ts';
import { type ExtraWrites, write } from '#lib/platform/db/write.ts';
import { type ApiError, apiError, rejectProblems } from '#lib/platform/errors/failures.ts';
import { consumeAllowed, type RateLimitState } from '#lib/platform/rate-limits/rate-limiter.ts';
import { utc } from '#lib/platform/time-zone.ts';
import { type GooglePerson, verifyGoogleIdToken } from '#lib/vendors/google/id-token.ts';
import type { AnonymousBodyOf } from '#schemas/contract.ts';
import type { acceptInvitation } from '#schemas/organizations.ts';
import { namesOf } from './google-names.ts';
import { type Credential, newUser, planSignedInUser } from './new-user.ts';
import { hashPassword } from './passwords.ts';
import type { Origin } from './sessions.ts';
import { passwordProblems } from './weak-passwords.ts';

type Input = AnonymousBodyOf<typeof acceptInvitation>;
type WithGoogle = Extract<Input, { idToken: string }>;
type WithPassword = Exclude<Input, WithGoogle>;

/** Results are stored for idempotent replay, so they must not include the password hash. */
export type JoinedUser = {
  readonly user: ReturnType<typeof presentUser>;
  readonly organization: ReturnType<typeof presentOrganization>;
  readonly token: string;
};

type Joiner = {
  readonly names: Pick<User, 'firstName' | 'lastName'>;
  readonly google?: GooglePerson;
  readonly credential: (email: string) => Promise<Credential> | Credential;
};

/**
 * Creates a user with the invited address who is a member of the organization, in one transaction.
 * The user has no own organization, so the payment provider is not involved. The token came by
 * mail, so it proves the address, even an address that is reserved for a former user.
 *
 * @throws 400 if the password equals the address, 401 for an invalid Google token, 403 if the
 * Google account has another address, 404 for an unknown token or a deleted organization, 409 if
 * the invitation has ended or a user has the address.
 */
export async function joinByInvitation(
  body: Input,
  origin: Origin,
  counted: (states: readonly RateLimitState[]) => void,
  extraWrites: ExtraWrites<JoinedUser>,
): Promise<JoinedUser> {
  await consumeAllowed('signup', origin.clientIp, counted);
  const { names, google, credential } =
    'idToken' in body ? await joinerWithGoogle(body) : joinerWithPassword(body);
  const invitation = await requireInvitationFor(google?.email, body.token);
  const { organizationId, email, role } = invitation;
  const [organization, claim, googleLink] = await Promise.all([
    requireOrganization(organizationId),
    findEmailClaim(email),
    google && get(userKeys.googleSubject(google.subject)),
  ]);
  if (claim?.userId || googleLink) {
    throw accountExists();
  }
  const user = newUser({ email, ...names, timezone: utc }, await credential(email), true);
  const { token, writes } = await planSignedInUser(user, {
    organizationId,
    origin,
    reservedFor: claim?.reservedFor,
    taken: accountExists,
  });
  const acceptance = await planAcceptance(invitation, user);
  const joined = {
    user: presentUser(user),
    organization: presentOrganization(organization, role),
    token,
  };
  // Of concurrent requests with one token, all but the first get an error that it was accepted.
  await write(...(await extraWrites(joined)), ...acceptance.writes, ...writes);

  return joined;
}

function accountExists(): ApiError {
  return apiError(
    'ACCOUNT_EXISTS',
    'You already have an account. Sign in, then accept the invitation',
  );
}

async function joinerWithGoogle({ idToken }: WithGoogle): Promise<Joiner> {
  const google = await verifyGoogleIdToken(idToken);

  return {
    names: namesOf(google),
    google,
    credential: () => ({ googleSubject: google.subject }),
  };
}

function joinerWithPassword({ firstName, lastName, password }: WithPassword): Joiner {
  return {
    names: { firstName, lastName },
    credential: async (email) => {
      rejectProblems(passwordProblems('password', password, { email }));

      return { passwordHash: await hashPassword(password) };
    },
  };
}
