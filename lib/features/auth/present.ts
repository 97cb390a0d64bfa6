import { presentMembership } from '#lib/features/organizations/organizations.ts';
import { presentUser } from '#lib/features/users/users.ts';
import type { SignedIn } from './open-session.ts';
import type { Registered } from './register.ts';

/** Returns the response of every kind of sign-in. */
export function presentSignedIn({ user, organizations, token }: SignedIn) {
  return {
    user: presentUser(user),
    organizations: organizations.map(presentMembership),
    authToken: token,
  };
}

/** Returns the response of every kind of signup. */
export function presentRegistered({ user, organization, token }: Registered) {
  return {
    user,
    organization: { ...organization, id: organization.organizationId },
    authToken: token,
  };
}
