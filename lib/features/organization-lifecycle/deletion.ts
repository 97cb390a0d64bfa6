import { changeOrganization } from '#lib/features/organizations/organizations.ts';
import { auditWrites } from '#lib/platform/audit/audit-log.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { keys, ranges } from '#lib/platform/db/keys.ts';
import { query } from '#lib/platform/db/read.ts';
import { removeMany } from '#lib/platform/db/remove-many.ts';
import { write } from '#lib/platform/db/write.ts';
import type { Membership } from '#lib/platform/identity/identity.ts';
import { dispatch, planWork } from '#lib/platform/work/outbox.ts';

/**
 * Deletes an organization. When this returns, nobody is a member any more; the rest is removed in
 * the background. From the first write on the removal is bound to happen, whatever dies.
 *
 * @throws 404 where it has been deleted already.
 */
export async function deleteOrganization(organizationId: string, actorId: string): Promise<void> {
  const removal = planWork('organizationRemoval', {
    owner: keys.organization(organizationId),
    payload: JSON.stringify({ organizationId }),
    leaveToSweep: true,
  });
  await write(
    changeOrganization(organizationId, { set: { deletedAt: timestamp() } }),
    removal,
    ...auditWrites(organizationId, {
      action: 'organization.deleted',
      actorId,
      targetType: 'organization',
      targetId: organizationId,
    }),
  );
  await removeMemberships(organizationId);
  await dispatch('organizationRemoval', removal.key, {});
}

/** The users' side goes first: what finds it again is the organization's side. */
async function removeMemberships(organizationId: string): Promise<void> {
  const members = await query<Membership>(ranges.members(organizationId));
  await removeMany(members.map(({ userId }) => keys.userMembership(userId, organizationId)));
  await removeMany(members);
}
