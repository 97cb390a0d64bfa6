import { keys } from '#lib/db/keys.ts';
import { ConditionNotMet, change, write } from '#lib/db/write.ts';
import { findMembership, listMembershipsOf, type Membership, type Session } from './identity.ts';

/**
 * The membership that stands for "the current organization": the session's, and where that one is
 * gone or left, the one joined first, which the session then keeps. `undefined`: there is none.
 */
export async function findCurrentMembership(session: Session): Promise<Membership | undefined> {
  const { currentOrganizationId, userId } = session;
  const kept = currentOrganizationId
    ? await findMembership(currentOrganizationId, userId)
    : undefined;
  if (kept) {
    return kept;
  }
  const replacement = await firstLiveMembership(userId);
  await keepCurrentOrganization(session, replacement?.organizationId);

  return replacement;
}

async function firstLiveMembership(userId: string): Promise<Membership | undefined> {
  for (const { organizationId } of await listMembershipsOf(userId)) {
    const membership = await findMembership(organizationId, userId);
    if (membership) {
      return membership;
    }
  }

  return undefined;
}

/** Makes an organization the session's current one; a session that has ended stays ended. */
export async function keepCurrentOrganization(
  { userId, sessionId, currentOrganizationId }: Session,
  organizationId: string | undefined,
): Promise<void> {
  if (organizationId === currentOrganizationId) {
    return;
  }
  try {
    await write(
      change(keys.session(userId, sessionId), {
        set: { currentOrganizationId: organizationId ?? null },
      }),
    );
  } catch (failure) {
    if (!(failure instanceof ConditionNotMet)) {
      throw failure;
    }
  }
}
