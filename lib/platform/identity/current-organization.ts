import { keys } from '#lib/platform/db/keys.ts';
import { change } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import type { Membership, Session } from './identity.ts';

/**
 * Returns the membership of the current organization. That is the session's organization or, if
 * that no longer applies, the one joined first, which is stored on the session. `undefined` if the
 * user has none.
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

/** Stores the session's current organization. A session that has ended is not recreated. */
export async function keepCurrentOrganization(
  { userId, sessionId, currentOrganizationId }: Session,
  organizationId: string | undefined,
): Promise<void> {
  if (organizationId === currentOrganizationId) {
    return;
  }
  await writeIfMet(
    change(keys.session(userId, sessionId), {
      set: { currentOrganizationId: organizationId ?? null },
    }),
  );
}
