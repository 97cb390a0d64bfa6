import { listUsers } from '#lib/features/accounts/users/users.ts';
import { auditWrites } from '#lib/platform/audit/audit-log.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { above, equals } from '#lib/platform/db/conditions.ts';
import { keys, ranges } from '#lib/platform/db/keys.ts';
import { query } from '#lib/platform/db/read.ts';
import {
  ConditionNotMet,
  change,
  discard,
  ensure,
  remove,
  type Write,
  write,
} from '#lib/platform/db/write.ts';
import { conflict, forbidden, notAllowed, notFound } from '#lib/platform/errors/failures.ts';
import { findMembership, type Membership } from '#lib/platform/identity/identity.ts';
import { ranksAbove } from '#lib/platform/identity/roles.ts';
import type { Role } from '#schemas/contract.ts';
import { changeOrganization } from './organizations.ts';

/** Who acts, with the role that was checked. */
export type Actor = { readonly userId: string; readonly role: Role };

const ownersAlone = 'Only owners can grant or revoke the owner role';
const keepsAnOwner = 'Transfer ownership before leaving the organization';

/** The members in the order in which they joined. */
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

/** More owners than these are not written to. */
const maxAddresses = 20;

/** Where the owners are told of what concerns the whole organization. */
export async function listOwnerAddresses(organizationId: string): Promise<readonly string[]> {
  const memberships = await query<Membership>(ranges.members(organizationId));
  const owners = memberships.filter(({ role }) => role === 'OWNER').slice(0, maxAddresses);

  return (await listUsers(owners.map(({ userId }) => userId))).map(({ email }) => email);
}

/** An actor who is a member no more is told what any stranger is. */
async function requireMember(
  organizationId: string,
  actor: Actor,
  userId: string,
): Promise<Membership> {
  const membership = await findMembership(organizationId, userId);
  if (!membership) {
    throw notFound(userId === actor.userId ? 'Organization' : 'Member');
  }

  return membership;
}

/** Takes one from the owners, of whom one must stay. */
function oneOwnerLess(organizationId: string, alsoOneMemberLess: boolean): Write {
  return changeOrganization(organizationId, {
    add: { ownerCount: -1, ...(alsoOneMemberLess ? { memberCount: -1 } : {}) },
    when: above('ownerCount', 1),
    refused: (stored) =>
      stored && !stored.deletedAt ? notAllowed(keepsAnOwner) : notFound('Organization'),
  });
}

/** The actor still has the role that the request was allowed by. */
export function actorUnchanged(organizationId: string, { userId, role }: Actor): Write {
  return ensure(keys.member(organizationId, userId), {
    when: equals('role', role),
    refused: (stored) =>
      stored ? forbidden('Insufficient permissions for this operation') : notFound('Organization'),
  });
}

const maxTries = 5;

/** Looks again and tries again where the member was changed between the look and the write. */
async function retryWhenChanged<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; tries < maxTries; tries += 1) {
    try {
      return await attempt();
    } catch (failure) {
      if (!(failure instanceof ConditionNotMet)) {
        throw failure;
      }
    }
  }

  throw conflict('Another request is changing the member. Try again');
}

/**
 * Gives a member another role.
 *
 * @throws 403 where the actor's role does not allow it, 404 for an unknown member, 400 where no
 * owner would be left.
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
      throw forbidden(ownersAlone);
    }
    if (target.role !== role) {
      await write(...roleWrites(organizationId, actor, target, role));
    }
  });
}

function roleWrites(
  organizationId: string,
  actor: Actor,
  { userId, role: from }: Membership,
  role: Role,
): readonly Write[] {
  const set = { role };
  const owners = {
    given: changeOrganization(organizationId, { add: { ownerCount: 1 } }),
    taken: oneOwnerLess(organizationId, false),
  };

  return [
    change(keys.member(organizationId, userId), { set, when: equals('role', from) }),
    change(keys.userMembership(userId, organizationId), { set }),
    ...(role === 'OWNER' ? [owners.given] : []),
    ...(from === 'OWNER' ? [owners.taken] : []),
    ...(userId === actor.userId ? [] : [actorUnchanged(organizationId, actor)]),
    ...auditWrites(organizationId, {
      action: 'member.role_changed',
      actorId: actor.userId,
      targetType: 'member',
      targetId: userId,
      details: { from, to: role, at: timestamp() },
    }),
  ];
}

/**
 * Takes a member out of the organization: by an OWNER or ADMIN, or by the member's own will.
 *
 * @throws 403 for an ADMIN that would remove an OWNER, 404 for an unknown member, 400 where no
 * owner would be left.
 */
export function removeMember(organizationId: string, actor: Actor, userId: string): Promise<void> {
  return retryWhenChanged(async () => {
    const target = await requireMember(organizationId, actor, userId);
    if (target.role === 'OWNER' && actor.role !== 'OWNER' && userId !== actor.userId) {
      throw forbidden(ownersAlone);
    }
    await write(...removalWrites(organizationId, actor, target));
  });
}

function removalWrites(
  organizationId: string,
  actor: Actor,
  { userId, role }: Membership,
): readonly Write[] {
  const leaves = userId === actor.userId;

  return [
    remove(keys.member(organizationId, userId), { when: equals('role', role) }),
    discard(keys.userMembership(userId, organizationId)),
    role === 'OWNER'
      ? oneOwnerLess(organizationId, true)
      : changeOrganization(organizationId, { add: { memberCount: -1 } }),
    ...(leaves ? [] : [actorUnchanged(organizationId, actor)]),
    ...auditWrites(organizationId, {
      action: leaves ? 'member.left' : 'member.removed',
      actorId: actor.userId,
      targetType: 'member',
      targetId: userId,
      details: { role },
    }),
  ];
}
