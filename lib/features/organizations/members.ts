import { listUsers, planNewOwner } from '#lib/features/accounts/users/users.ts';
import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { above, allOf, type Condition, equals, unchanged } from '#lib/platform/db/conditions.ts';
import { keys, ranges } from '#lib/platform/db/keys.ts';
import { query } from '#lib/platform/db/read.ts';
import {
  type Change,
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
import { planWork } from '#lib/platform/work/outbox.ts';
import type { Role } from '#schemas/contract.ts';
import type { NotificationKind } from '#schemas/organizations.ts';
import { planCreatorRole, planKeyRevocations } from './api-keys.ts';
import { type MemberUser, planMemberEvent, presentMember } from './member-event.ts';
import { wayOf } from './notification-settings.ts';
import {
  type OrganizationSettings,
  planOrganizationChange,
  ranksStill,
  requireOrganization,
} from './organizations.ts';
import { mayGive, noRevocations, planRevocations, type Revocations } from './revocations.ts';

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

  return memberships.flatMap((membership) => {
    const user = byId.get(membership.userId);

    return user ? [presentMember(user, membership)] : [];
  });
}

/** Limits the number of people that are notified, to leave room in the transaction. */
const maxAddresses = 20;

export async function listOwnerAddresses(organizationId: string): Promise<readonly string[]> {
  const memberships = await query<Membership>(ranges.members(organizationId));

  return addressesOf(memberships.filter(({ role }) => role === 'OWNER'));
}

/** Returns the addresses of the members who want mails of this kind. */
export async function listNotifiedAddresses(
  organizationId: string,
  kind: NotificationKind,
): Promise<readonly string[]> {
  const memberships = await query<Membership>(ranges.members(organizationId));
  const notified = memberships.filter((member) => wayOf(member, kind) === 'MAIL');

  return addressesOf(notified);
}

/**
 * Returns the addresses to notify of something that concerns one member, or everybody if nobody is
 * responsible. The responsible member is notified unless they turned it off themselves.
 */
export async function listResponsibleAddresses(
  organizationId: string,
  kind: NotificationKind,
  responsibleId: string | undefined,
): Promise<readonly string[]> {
  const responsible = responsibleId
    ? await findMembership(organizationId, responsibleId)
    : undefined;
  if (!responsible) {
    return listNotifiedAddresses(organizationId, kind);
  }

  return responsible[`notify_${kind}`] === 'OFF' ? [] : addressesOf([responsible]);
}

/** Returns the member's address, or undefined if they don't want mails of this kind. */
export async function findNotifiedAddress(
  member: Membership,
  kind: NotificationKind,
): Promise<string | undefined> {
  const [address] = wayOf(member, kind) === 'MAIL' ? await addressesOf([member]) : [];

  return address;
}

async function addressesOf(members: readonly Membership[]): Promise<readonly string[]> {
  const users = await listUsers(members.slice(0, maxAddresses).map(({ userId }) => userId));

  return users.map(({ email }) => email);
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

/**
 * Decrements the owner count. Fails for the last owner. Other conditions that fail throw
 * ConditionNotMetError.
 */
function planOwnerCountDecrement(organizationId: string, { add, when }: Change = {}): Write {
  const isNotLast = above('ownerCount', 1);

  return planOrganizationChange(organizationId, {
    add: { ownerCount: -1, ...add },
    when: when ? allOf(isNotLast, when) : isNotLast,
    refused: (stored) => {
      if (!stored || stored.deletedAt) {
        return notFound('Organization');
      }

      return Number(stored.ownerCount) > 1
        ? new ConditionNotMetError(keys.organization(organizationId), stored)
        : notAllowed(lastOwnerMessage);
    },
  });
}

/** Requires that the actor still has at least the role that authorized the request. */
function planActorUnchanged(organizationId: string, { userId, role }: Actor): Write {
  return ensure(keys.member(organizationId, userId), {
    when: ranksStill(role),
    refused: (stored) =>
      stored ? forbidden('Insufficient permissions for this operation') : notFound('Organization'),
  });
}

/** Holds if neither the role changed nor the member made an invitation or API key since it was read. */
function isAsRead({ role, inviteVersion }: Membership): Condition {
  return allOf(equals('role', role), unchanged('inviteVersion', inviteVersion));
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
 * Changes the role of a member. Their pending invitations with a role that they may no longer give
 * are revoked in the same transaction.
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
      const [lost, keyChanges] = await Promise.all([
        planLostGrants(organizationId, target, role),
        planCreatorRole(organizationId, userId, role),
      ]);
      await write(...planRoleChange(organizationId, actor, target, role, lost), ...keyChanges);
    }
  });
}

type LostGrants = Revocations & {
  /** Read for a member who becomes a MEMBER: may they still invite? */
  readonly settings?: OrganizationSettings;
};

/** Conversations are assigned only to those who can answer them. A worker takes the others back. */
function planAssignmentRemoval({ organizationId, userId }: Membership): Write {
  return planWork('assignmentRemoval', {
    owner: keys.organization(organizationId),
    payload: { organizationId, userId, endedAt: timestamp() },
  });
}

/** Plans to revoke the invitations that the member may no longer make. */
async function planLostGrants(
  organizationId: string,
  { userId, role: from }: Membership,
  role: Role,
): Promise<LostGrants> {
  if (!ranksAbove(from, role)) {
    return noRevocations;
  }
  const settings =
    role === 'MEMBER' ? (await requireOrganization(organizationId)).settings : undefined;
  const revocations = await planRevocations(
    organizationId,
    (invitation) =>
      invitation.invitedBy === userId &&
      !mayGive(role, invitation.role, settings?.allowMemberInvites ?? false),
  );

  return settings ? { ...revocations, settings } : revocations;
}

/**
 * Counts owners. A demotion to MEMBER also requires that the setting is as it was read, and
 * increments the version that turning the setting off checks: one of the two sees the other.
 */
function planOrganizationSide(
  organizationId: string,
  from: Role,
  role: Role,
  { settings }: LostGrants,
): readonly Write[] {
  if (role === 'OWNER') {
    return [planOrganizationChange(organizationId, { add: { ownerCount: 1 } })];
  }
  const demotion = settings && {
    add: { inviteVersion: 1 },
    when: equals('settings.allowMemberInvites', settings.allowMemberInvites),
  };
  if (from === 'OWNER') {
    return [planOwnerCountDecrement(organizationId, demotion)];
  }

  return demotion
    ? [
        planOrganizationChange(organizationId, {
          ...demotion,
          refused: (stored) =>
            stored && !stored.deletedAt
              ? new ConditionNotMetError(keys.organization(organizationId), stored)
              : notFound('Organization'),
        }),
      ]
    : [];
}

function planRoleChange(
  organizationId: string,
  actor: Actor,
  target: Membership,
  role: Role,
  lost: LostGrants,
): readonly Write[] {
  const { userId, role: from } = target;
  const set = { role };

  return [
    change(keys.member(organizationId, userId), { set, when: isAsRead(target) }),
    change(keys.userMembership(userId, organizationId), { set }),
    ...planOrganizationSide(organizationId, from, role, lost),
    ...(userId === actor.userId ? [] : [planActorUnchanged(organizationId, actor)]),
    ...lost.writes,
    ...(role === 'OWNER' ? [planNewOwner(userId, () => notFound('Member'))] : []),
    ...(role === 'VIEWER' ? [planAssignmentRemoval(target)] : []),
    ...planAudit(organizationId, {
      action: 'member.role_changed',
      actorId: actor.userId,
      targetType: 'member',
      targetId: userId,
      details: { from, to: role, at: timestamp(), ...lost.details },
    }),
  ];
}

/**
 * Removes a member from the organization, or lets the actor leave it. Their pending invitations and
 * API keys are revoked in the same transaction.
 *
 * @param account the member's user, if it was deleted.
 * @throws 403 if a non-owner tries to remove an owner, 404 for an unknown member, 400 if no owner
 *   would remain.
 */
export function removeMember(
  organizationId: string,
  actor: Actor,
  userId: string,
  account?: MemberUser,
): Promise<void> {
  return retryWhenChanged(async () => {
    const target = await requireMember(organizationId, actor, userId);
    if (target.role === 'OWNER' && actor.role !== 'OWNER' && userId !== actor.userId) {
      throw forbidden(ownersOnlyMessage);
    }
    const [invitations, apiKeys, event] = await Promise.all([
      planRevocations(organizationId, ({ invitedBy }) => invitedBy === userId),
      planKeyRevocations(organizationId, userId),
      planRemovedEvent(target, account),
    ]);
    const revocations = {
      writes: [...invitations.writes, ...apiKeys.writes],
      details: { ...invitations.details, ...apiKeys.details },
    };
    await write(...planMemberRemoval(organizationId, actor, target, revocations), ...event);
  });
}

async function planRemovedEvent(
  target: Membership,
  account: MemberUser | undefined,
): Promise<readonly Write[]> {
  const [user] = account ? [account] : await listUsers([target.userId]);

  return user ? planMemberEvent('member.removed', user, target) : [];
}

function planMemberRemoval(
  organizationId: string,
  actor: Actor,
  target: Membership,
  revocations: Revocations,
): readonly Write[] {
  const { userId, role } = target;
  const leaves = userId === actor.userId;

  return [
    remove(keys.member(organizationId, userId), { when: isAsRead(target) }),
    discard(keys.userMembership(userId, organizationId)),
    role === 'OWNER'
      ? planOwnerCountDecrement(organizationId, { add: { memberCount: -1 } })
      : planOrganizationChange(organizationId, { add: { memberCount: -1 } }),
    ...(leaves ? [] : [planActorUnchanged(organizationId, actor)]),
    ...revocations.writes,
    planAssignmentRemoval(target),
    ...planAudit(organizationId, {
      action: leaves ? 'member.left' : 'member.removed',
      actorId: actor.userId,
      targetType: 'member',
      targetId: userId,
      details: { role, ...revocations.details },
    }),
  ];
}
