import { type MemberUser, planMemberEvent } from '#lib/features/organizations/member-event.ts';
import type { Actor } from '#lib/features/organizations/members.ts';
import { planOrganizationChange } from '#lib/features/organizations/organizations.ts';
import type { Revocations } from '#lib/features/organizations/revocations.ts';
import { listUsers } from '#lib/features/users/users.ts';
import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { userKeys } from '#lib/platform/db/keys/users.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { discard, remove, type Write, write } from '#lib/platform/db/write.ts';
import { forbidden } from '#lib/platform/errors/failures.ts';
import type { Membership } from '#lib/platform/identity/identity.ts';
import { planLostGrants } from './lost-grants.ts';
import {
  isAsRead,
  ownersOnlyMessage,
  planActorUnchanged,
  planAssignmentRemoval,
  planOwnerCountDecrement,
  requireMember,
} from './member-writes.ts';

/**
 * Removes a member from the organization, or lets the actor leave it. Things that the member
 * created end in the same transaction: pending invitations, API keys, connect links and the
 * calendar address.
 *
 * @param account the member's user, if it was deleted.
 * @throws 403 if a non-owner tries to remove an owner, 404 for an unknown member, 400 if no owner
 * would remain.
 */
export function removeMember(
  organizationId: string,
  actor: Actor,
  userId: string,
  account?: MemberUser,
): Promise<void> {
  return retryWhenOvertaken('member', async () => {
    const target = await requireMember(organizationId, actor, userId);
    if (target.role === 'OWNER' && actor.role !== 'OWNER' && userId !== actor.userId) {
      throw forbidden(ownersOnlyMessage);
    }
    const [revocations, event] = await Promise.all([
      planLostGrants(target, undefined),
      planRemovedEvent(target, account),
    ]);
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
    remove(organizationKeys.member(organizationId, userId), { when: isAsRead(target) }),
    discard(userKeys.userMembership(userId, organizationId)),
    role === 'OWNER'
      ? planOwnerCountDecrement(organizationId, { add: { memberCount: -1 } })
      : planOrganizationChange(organizationId, { add: { memberCount: -1 } }),
    ...(leaves ? [] : [planActorUnchanged(organizationId, actor)]),
    ...revocations.writes,
    planAssignmentRemoval(target),
    ...planAudit(organizationId, {
      action: leaves ? 'member.left' : 'member.removed',
      actorId: actor.userId,
      targetId: userId,
      details: { role, ...revocations.details },
    }),
  ];
}
