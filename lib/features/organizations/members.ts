import { listUsers } from '#lib/features/accounts/users/users.ts';
import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { above, equals } from '#lib/platform/db/conditions.ts';
import { keys, ranges } from '#lib/platform/db/keys.ts';
import { query } from '#lib/platform/db/read.ts';
import {
  ConditionNotMetError,
  change,
  discard,
  ensure,
  remove,
  type Write,
  write,
} from '#lib/platform/db/write.ts';
import {
  conflict,
  forbidden,
  notAllowed,
  notFound,
  requireFound,
} from '#lib/platform/errors/failures.ts';
import { findMembership, type Membership } from '#lib/platform/identity/identity.ts';
import { ranksAbove } from '#lib/platform/identity/roles.ts';
import type { Role } from '#schemas/contract.ts';
import { planOrganizationChange } from './organizations.ts';

export type Actor = { readonly userId: string; readonly role: Role };

const ownersOnlyMessage = 'Only owners can grant or revoke the owner role';
const lastOwnerMessage = 'Transfer ownership before leaving the organization';

/** Returns the members in joining order. */
export async function listMembers(organizationId: string) {
  const memberships = [...(await query<Membership>(ranges.members(organizationId)))].sort(
    (one, other) =>
      one.joinedAt.localeCompare(other.joinedAt) || one.userId.localeCompare(other.userId),
  );
  const users = await listUsers(memberships.map(({ userId }) => userId));
  const byId = new Map(users.map((user) => [user.userId, user]));

  return memberships.flatMap(({ userId, role, joinedAt }) => {
    const user = byId.get(userId);

    return user ? [{ ...user, id: userId, role, joinedAt, status: 'active' as const }] : [];
  });
}

/** Limits the number of owners that are notified. */
const maxAddresses = 20;

export async function listOwnerAddresses(organizationId: string): Promise<readonly string[]> {
  const memberships = await query<Membership>(ranges.members(organizationId));
  const owners = memberships.filter(({ role }) => role === 'OWNER').slice(0, maxAddresses);

  return (await listUsers(owners.map(({ userId }) => userId))).map(({ email }) => email);
}

/** Hides the organization from an actor who is no longer a member, as from any outsider. */
async function requireMember(
  organizationId: string,
  actor: Actor,
  userId: string,
): Promise<Membership> {
  return requireFound(
    await findMembership(organizationId, userId),
    userId === actor.userId ? 'Organization' : 'Member',
  );
}

/** Decrements the owner count. Fails for the last owner. */
function planOwnerCountDecrement(organizationId: string, alsoOneMemberLess: boolean): Write {
  return planOrganizationChange(organizationId, {
    add: { ownerCount: -1, ...(alsoOneMemberLess ? { memberCount: -1 } : {}) },
    when: above('ownerCount', 1),
    refused: (stored) =>
      stored && !stored.deletedAt ? notAllowed(lastOwnerMessage) : notFound('Organization'),
  });
}

/** Requires that the actor still has the role that authorized the request. */
export function planActorUnchanged(organizationId: string, { userId, role }: Actor): Write {
  return ensure(keys.member(organizationId, userId), {
    when: equals('role', role),
    refused: (stored) =>
      stored ? forbidden('Insufficient permissions for this operation') : notFound('Organization'),
  });
}

const maxAttempts = 5;

/** Retries if the member was changed by a concurrent request. */
async function retryWhenChanged<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; tries < maxAttempts; tries += 1) {
    try {
      return await attempt();
    } catch (failure) {
      if (!(failure instanceof ConditionNotMetError)) {
        throw failure;
      }
    }
  }

  throw conflict('Another request is changing the member. Try again');
}

/**
 * Changes the role of a member.
 *
 * @throws 403 if the actor's role does not allow it, 404 for an unknown member, 400 if no owner
 *   would remain.
 */
export function changeRole(
  organizationId: string,
  actor: Actor,
  userId: string,
  role: Role,
): Promise<void> {
  return retryWhenChanged(async () => {
    const target = await requireMember(organizationId, actor, userId);
    if (userId === actor.userId && ranksAbove(role, target.role)) {
      throw forbidden('You cannot raise your own role');
    }
    if ((target.role === 'OWNER' || role === 'OWNER') && actor.role !== 'OWNER') {
      throw forbidden(ownersOnlyMessage);
    }
    if (target.role !== role) {
      await write(...planRoleChange(organizationId, actor, target, role));
    }
  });
}

function planRoleChange(
  organizationId: string,
  actor: Actor,
  { userId, role: from }: Membership,
  role: Role,
): readonly Write[] {
  const set = { role };
  const owners = {
    given: planOrganizationChange(organizationId, { add: { ownerCount: 1 } }),
    taken: planOwnerCountDecrement(organizationId, false),
  };

  return [
    change(keys.member(organizationId, userId), { set, when: equals('role', from) }),
    change(keys.userMembership(userId, organizationId), { set }),
    ...(role === 'OWNER' ? [owners.given] : []),
    ...(from === 'OWNER' ? [owners.taken] : []),
    ...(userId === actor.userId ? [] : [planActorUnchanged(organizationId, actor)]),
    ...planAudit(organizationId, {
      action: 'member.role_changed',
      actorId: actor.userId,
      targetType: 'member',
      targetId: userId,
      details: { from, to: role, at: timestamp() },
    }),
  ];
}

/**
 * Removes a member from the organization, or lets the actor leave it.
 *
 * @throws 403 if a non-owner tries to remove an owner, 404 for an unknown member, 400 if no owner
 *   would remain.
 */
export function removeMember(organizationId: string, actor: Actor, userId: string): Promise<void> {
  return retryWhenChanged(async () => {
    const target = await requireMember(organizationId, actor, userId);
    if (target.role === 'OWNER' && actor.role !== 'OWNER' && userId !== actor.userId) {
      throw forbidden(ownersOnlyMessage);
    }
    await write(...planMemberRemoval(organizationId, actor, target));
  });
}

function planMemberRemoval(
  organizationId: string,
  actor: Actor,
  { userId, role }: Membership,
): readonly Write[] {
  const leaves = userId === actor.userId;

  return [
    remove(keys.member(organizationId, userId), { when: equals('role', role) }),
    discard(keys.userMembership(userId, organizationId)),
    role === 'OWNER'
      ? planOwnerCountDecrement(organizationId, true)
      : planOrganizationChange(organizationId, { add: { memberCount: -1 } }),
    ...(leaves ? [] : [planActorUnchanged(organizationId, actor)]),
    ...planAudit(organizationId, {
      action: leaves ? 'member.left' : 'member.removed',
      actorId: actor.userId,
      targetType: 'member',
      targetId: userId,
      details: { role },
    }),
  ];
}
