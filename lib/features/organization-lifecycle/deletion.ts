import { removeApiKeys } from '#lib/features/organizations/api-keys.ts';
import {
  planDelisting,
  planListedChange,
} from '#lib/features/organizations/listed-organizations.ts';
import {
  type Organization,
  requireOrganization,
} from '#lib/features/organizations/organizations.ts';
import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { organizationKeys, organizationRanges } from '#lib/platform/db/keys/organizations.ts';
import { userKeys } from '#lib/platform/db/keys/users.ts';
import { query } from '#lib/platform/db/read.ts';
import { removeMany } from '#lib/platform/db/remove-many.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { remove, type Write, write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import type { Membership } from '#lib/platform/identity/identity.ts';
import { planQuotaRelease } from '#lib/platform/quotas/quotas.ts';
import { dispatch, planWork } from '#lib/platform/work/outbox.ts';

/**
 * Deletes an organization. All memberships and API keys are removed before this returns, and
 * other data in the background. The first write guarantees that the removal completes, even after a crash.
 *
 * @param actorId is null for the operator.
 * @throws 404 if it was already deleted.
 */
export async function deleteOrganization(
  organizationId: string,
  actorId: string | null,
): Promise<void> {
  const removal = planRemoval(organizationId);
  await retryWhenOvertaken('organization', async () => {
    const organization = await requireOrganization(organizationId);
    const { founderId } = organization;
    await write(
      planListedChange(organization, { set: { deletedAt: timestamp() } }),
      removal,
      ...planDelisting(organization),
      ...(founderId ? [planQuotaRelease(userKeys.foundedOrganizations(founderId))] : []),
      ...planDeletionAudit(organizationId, actorId),
    );
  });
  await endAccess(organizationId);
  await dispatch('organizationRemoval', removal.key, {});
}

/**
 * Deletes an organization that was marked as deleted together with its only member's account. Does
 * nothing if an earlier attempt has done so, because that also removed the member's side of the
 * membership.
 */
export async function deleteWithAccount(organization: Organization, userId: string): Promise<void> {
  const { organizationId, founderId } = organization;
  const removal = planRemoval(organizationId);
  const isFirst = await writeIfMet(
    remove(userKeys.userMembership(userId, organizationId)),
    removal,
    ...planDelisting(organization),
    // The account's own counter is removed with the account.
    ...(founderId && founderId !== userId
      ? [planQuotaRelease(userKeys.foundedOrganizations(founderId))]
      : []),
    ...planDeletionAudit(organizationId, userId),
  );
  if (isFirst) {
    await endAccess(organizationId);
    await dispatch('organizationRemoval', removal.key, {});
  }
}

function planRemoval(organizationId: string): Write {
  return planWork('organizationRemoval', {
    owner: organizationKeys.organization(organizationId),
    payload: { organizationId },
    leaveToSweep: true,
  });
}

function planDeletionAudit(organizationId: string, actorId: string | null): readonly Write[] {
  return planAudit(organizationId, {
    action: 'organization.deleted',
    actorId,
  });
}

async function endAccess(organizationId: string): Promise<void> {
  await Promise.all([removeMemberships(organizationId), removeApiKeys(organizationId)]);
}

/**
 * Removes the user side first, because the organization side is needed to find it after a crash.
 */
async function removeMemberships(organizationId: string): Promise<void> {
  const members = await query<Membership>(organizationRanges.members(organizationId));
  await removeMany(members.map(({ userId }) => userKeys.userMembership(userId, organizationId)));
  await removeMany(members);
}
