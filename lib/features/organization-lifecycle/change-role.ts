import { planCreatorRole } from '#lib/features/organizations/api-keys.ts';
import type { Actor } from '#lib/features/organizations/members.ts';
import { dueDigest } from '#lib/features/organizations/notification-settings.ts';
import { planOrganizationChange } from '#lib/features/organizations/organizations.ts';
import { planNewOwner } from '#lib/features/users/users.ts';
import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { ConditionNotMetError } from '#lib/platform/db/failures.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { userKeys } from '#lib/platform/db/keys/users.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { change, type Write, write } from '#lib/platform/db/write.ts';
import { forbidden, notFound } from '#lib/platform/errors/failures.ts';
import type { Membership } from '#lib/platform/identity/identity.ts';
import { type Role, ranksAbove } from '#schemas/contract.ts';
import { type LostGrants, planLostGrants } from './lost-grants.ts';
import {
  isAsRead,
  ownersOnlyMessage,
  planActorUnchanged,
  planAssignmentRemoval,
  planOwnerCountDecrement,
  requireMember,
} from './member-writes.ts';

/**
 * Changes the role of a member. Things that the new role does not allow, such as invitations, end
 * in the same transaction.
 *
 * @throws 403 if the actor's role does not allow it, 404 for an unknown member, 400 if no owner
 * would remain.
 */
export function changeRole(
  organizationId: string,
  actor: Actor,
  userId: string,
  role: Role,
): Promise<void> {
  return retryWhenOvertaken('member', async () => {
    const target = await requireMember(organizationId, actor, userId);
    if (userId === actor.userId && ranksAbove(role, target.role)) {
      throw forbidden('You cannot raise your own role');
    }
    if ((target.role === 'OWNER' || role === 'OWNER') && actor.role !== 'OWNER') {
      throw forbidden(ownersOnlyMessage);
    }
    if (target.role !== role) {
      const [lost, keyChanges] = await Promise.all([
        planLostGrants(target, role),
        planCreatorRole(organizationId, userId, role),
      ]);
      await write(...planRoleChange(organizationId, actor, target, role, lost), ...keyChanges);
    }
  });
}

/**
 * Counts owners. A demotion to MEMBER also requires that the setting has not changed since it was
 * read, and increments the version. Turning off the setting checks that version, so one of the two
 * changes sees the other.
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
          onConditionFailed: (stored) =>
            stored && !stored.deletedAt
              ? new ConditionNotMetError(organizationKeys.organization(organizationId), stored)
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
    change(organizationKeys.member(organizationId, userId), {
      set: { ...set, ...dueDigest(target, set) },
      when: isAsRead(target),
    }),
    change(userKeys.userMembership(userId, organizationId), { set }),
    ...planOrganizationSide(organizationId, from, role, lost),
    ...(userId === actor.userId ? [] : [planActorUnchanged(organizationId, actor)]),
    ...lost.writes,
    ...(role === 'OWNER' ? [planNewOwner(userId, () => notFound('Member'))] : []),
    ...(role === 'VIEWER' ? [planAssignmentRemoval(target)] : []),
    ...planAudit(organizationId, {
      action: 'member.role_changed',
      actorId: actor.userId,
      targetId: userId,
      details: { from, to: role, at: timestamp(), ...lost.details },
    }),
  ];
}
