import { removeApiKeys } from '#lib/features/organizations/api-keys.ts';
import {
  planOrganizationChange,
  requireOrganization,
} from '#lib/features/organizations/organizations.ts';
import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { keys, ranges } from '#lib/platform/db/keys.ts';
import { query } from '#lib/platform/db/read.ts';
import { removeMany } from '#lib/platform/db/remove-many.ts';
import { write } from '#lib/platform/db/write.ts';
import type { Membership } from '#lib/platform/identity/identity.ts';
import { planQuotaRelease } from '#lib/platform/quotas/quotas.ts';
import { dispatch, planWork } from '#lib/platform/work/outbox.ts';

/**
 * Deletes an organization. All memberships and API keys are removed before this returns, and
 * other data in the background. The first write guarantees that the removal completes, even after a crash.
 *
 * @throws 404 if it was already deleted.
 */
export async function deleteOrganization(organizationId: string, actorId: string): Promise<void> {
  const { founderId } = await requireOrganization(organizationId);
  const removal = planWork('organizationRemoval', {
    owner: keys.organization(organizationId),
    payload: { organizationId },
    leaveToSweep: true,
  });
  await write(
    planOrganizationChange(organizationId, { set: { deletedAt: timestamp() } }),
    removal,
    ...(founderId ? [planQuotaRelease(keys.foundedOrganizations(founderId))] : []),
    ...planAudit(organizationId, {
      action: 'organization.deleted',
      actorId,
      targetType: 'organization',
      targetId: organizationId,
    }),
  );
  await Promise.all([removeMemberships(organizationId), removeApiKeys(organizationId)]);
  await dispatch('organizationRemoval', removal.key, {});
}

/**
 * Removes the user side first, because the organization side is needed to find it after a crash.
 */
async function removeMemberships(organizationId: string): Promise<void> {
  const members = await query<Membership>(ranges.members(organizationId));
  await removeMany(members.map(({ userId }) => keys.userMembership(userId, organizationId)));
  await removeMany(members);
}
