import { presentMembership, withOrganizations } from '#lib/features/organizations/organizations.ts';
import { loadUser } from '#lib/features/users/load-user.ts';
import { presentUser } from '#lib/features/users/users.ts';
import { sessionInvalid } from '#lib/platform/errors/failures.ts';
import { keepCurrentOrganization } from '#lib/platform/identity/current-organization.ts';
import type { Session } from '#lib/platform/identity/identity.ts';

/**
 * Returns the signed-in user. The current organization is the one selected for this request,
 * otherwise the session's. If that was deleted or the user left it, the first joined organization
 * is used and stored in the session.
 */
export async function readMe(session: Session, selectedId: string | undefined) {
  const { user, memberships } = await loadUser(session.userId);
  if (!user) {
    throw sessionInvalid();
  }
  const organizations = (await withOrganizations(memberships)).map(presentMembership);
  const wantedId = selectedId ?? session.currentOrganizationId;
  const current = organizations.find(({ id }) => id === wantedId) ?? organizations[0];
  if (!selectedId) {
    await keepCurrentOrganization(session, current?.id);
  }

  return { ...presentUser(user), organizations, currentOrganization: current };
}
