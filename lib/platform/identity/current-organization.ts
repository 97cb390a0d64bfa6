import { userKeys } from '#lib/platform/db/keys/users.ts';
import { change } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import type { Membership, Session } from './identity.ts';

/**
 * Returns the membership of the current organization: the session's organization or, if the user is
 * no longer a member of it, the one joined first. That one is then stored on the session.
 * `undefined` if the user has none.
 */
export async function findCurrentMembership(
  session: Session,
  memberships: readonly Membership[],
): Promise<Membership | undefined> {
  const current =
    memberships.find(({ organizationId }) => organizationId === session.currentOrganizationId) ??
    memberships[0];
  await keepCurrentOrganization(session, current?.organizationId);

  return current;
}

/** Stores the session's current organization. Does not recreate an ended session. */
export async function keepCurrentOrganization(
  { userId, sessionId, currentOrganizationId }: Session,
  organizationId: string | undefined,
): Promise<void> {
  if (organizationId === currentOrganizationId) {
    return;
  }
  await writeIfMet(
    change(userKeys.session(userId, sessionId), {
      set: { currentOrganizationId: organizationId ?? null },
    }),
  );
}
