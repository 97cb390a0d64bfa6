import type { Actor } from '#lib/features/organizations/members.ts';
import { planOrganizationChange, ranksStill } from '#lib/features/organizations/organizations.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { above, allOf, type Condition, equals, unchanged } from '#lib/platform/db/conditions.ts';
import { ConditionNotMetError } from '#lib/platform/db/failures.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { type Change, ensure, type Write } from '#lib/platform/db/write.ts';
import { apiError, forbidden, notFound, requireFound } from '#lib/platform/errors/failures.ts';
import { findMembership, type Membership } from '#lib/platform/identity/identity.ts';
import { planWork } from '#lib/platform/work/outbox.ts';

export const ownersOnlyMessage = 'Only owners can grant or revoke the owner role';
const lastOwnerMessage = 'Transfer ownership before leaving the organization';

/** Hides the organization from an actor who is no longer a member, like from any outsider. */
export async function requireMember(
  organizationId: string,
  actor: Actor,
  userId: string,
): Promise<Membership> {
  return requireFound(
    await findMembership(organizationId, userId),
    userId === actor.userId ? 'Organization' : 'Member',
  );
}

/**
 * Decrements the owner count. Fails for the last owner. Other failed conditions throw
 * ConditionNotMetError.
 */
export function planOwnerCountDecrement(organizationId: string, { add, when }: Change = {}): Write {
  const isNotLast = above('ownerCount', 1);

  return planOrganizationChange(organizationId, {
    add: { ownerCount: -1, ...add },
    when: when ? allOf(isNotLast, when) : isNotLast,
    onConditionFailed: (stored) => {
      if (!stored || stored.deletedAt) {
        return notFound('Organization');
      }

      return Number(stored.ownerCount) > 1
        ? new ConditionNotMetError(organizationKeys.organization(organizationId), stored)
        : apiError('LAST_OWNER', lastOwnerMessage);
    },
  });
}

/** Requires that the actor still has at least the role that authorized the request. */
export function planActorUnchanged(organizationId: string, { userId, role }: Actor): Write {
  return ensure(organizationKeys.member(organizationId, userId), {
    when: ranksStill(role),
    onConditionFailed: (stored) => (stored ? forbidden() : notFound('Organization')),
  });
}

/**
 * True if the role has not changed since it was read, and the member has created nothing that ends
 * with the role.
 */
export function isAsRead({ role, inviteVersion }: Membership): Condition {
  return allOf(equals('role', role), unchanged('inviteVersion', inviteVersion));
}

/**
 * Conversations can only be assigned to members who can answer them. A worker removes the other
 * assignments.
 */
export function planAssignmentRemoval({ organizationId, userId }: Membership): Write {
  return planWork('assignmentRemoval', {
    owner: organizationKeys.organization(organizationId),
    payload: { organizationId, userId, endedAt: timestamp() },
  });
}
