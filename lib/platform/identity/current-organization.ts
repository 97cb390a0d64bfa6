import { keys } from '#lib/platform/db/keys.ts';
import { change } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import type { Membership, Session } from './identity.ts';

/**
 * The membership that stands for "the current organization": the session's, and where that one is
 * gone or left, the one joined first, which the session then keeps. `undefined`: there is none.
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

/** Makes an organization the session's current one; a session that has ended stays ended. */
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
