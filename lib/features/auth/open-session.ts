import {
  type MembershipOfOrganization,
  withOrganizations,
} from '#lib/features/organizations/organizations.ts';
import type { User } from '#lib/features/users/users.ts';
import { type Write, write } from '#lib/platform/db/write.ts';
import { type ApiError, apiError } from '#lib/platform/errors/failures.ts';
import type { Membership } from '#lib/platform/identity/identity.ts';
import { type Origin, planSession } from './sessions.ts';
import { planUserToken } from './user-tokens.ts';

export type SignedIn = {
  readonly user: User;
  readonly organizations: readonly MembershipOfOrganization[];
  readonly token: string;
  readonly sessionId: string;
};

/**
 * Opens a session for a user who has proven their identity.
 *
 * @param writes go into the same transaction. One of them requires that the user's credentials are
 * unchanged.
 */
export async function openSession(
  user: User,
  memberships: readonly Membership[],
  origin: Origin,
  writes: readonly Write[],
): Promise<SignedIn> {
  // If this organization is being deleted, the first use of the session selects the next one.
  const session = await planSession(user.userId, memberships[0]?.organizationId, origin);
  const [organizations] = await Promise.all([
    withOrganizations(memberships),
    write(session.write, ...writes),
  ]);

  return { user, organizations, token: session.token, sessionId: session.sessionId };
}

/**
 * Returns the 401 that asks a user with two-factor authentication for a code, with a new challenge.
 *
 * @param googleSubject is linked to the user after the correct code.
 */
export async function secondFactorRequired(user: User, googleSubject?: string): Promise<ApiError> {
  const challenge = planUserToken('secondFactor', { ...user, googleSubject });
  await write(challenge.write);

  return apiError('TWO_FACTOR_REQUIRED', 'Two-factor authentication code required', {
    fields: { challengeToken: challenge.token },
  });
}
