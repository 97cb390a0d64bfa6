import { planNewOwner } from '#lib/features/accounts/users/users.ts';
import { planDefaultPipeline } from '#lib/features/leads/pipelines/pipelines.ts';
import {
  type Organization,
  type OrganizationDetails,
  type OrganizationSettings,
  planMembership,
} from '#lib/features/organizations/organizations.ts';
import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { type Alongside, create, type Write, write } from '#lib/platform/db/write.ts';
import { sessionInvalid } from '#lib/platform/errors/failures.ts';
import type { Membership } from '#lib/platform/identity/identity.ts';
import { newId } from '#lib/platform/ids.ts';
import { planQuotaUse } from '#lib/platform/quotas/quotas.ts';

const defaultSettings: OrganizationSettings = {
  allowMemberInvites: false,
  requireApprovalForJoins: false,
  defaultRole: 'MEMBER',
};

/** Returns a new organization, its OWNER's membership, and the writes that create both. */
export function planOrganization(details: OrganizationDetails, ownerId: string) {
  const organizationId = newId();
  const now = timestamp();
  const organization: Organization = {
    ...(details as Organization),
    organizationId,
    settings: defaultSettings,
    founderId: ownerId,
    memberCount: 1,
    ownerCount: 1,
    createdAt: now,
    updatedAt: now,
  };
  const membership: Membership = { organizationId, userId: ownerId, role: 'OWNER', joinedAt: now };
  const writes: readonly Write[] = [
    create(keys.organization(organizationId), organization),
    planQuotaUse(keys.foundedOrganizations(ownerId), 'organizations'),
    ...planMembership(membership),
    ...planDefaultPipeline(organizationId),
    ...planAudit(organizationId, {
      action: 'organization.created',
      actorId: ownerId,
      targetType: 'organization',
      targetId: organizationId,
    }),
  ];

  return { organization, membership, writes };
}

export async function createOrganization(
  founderId: string,
  details: OrganizationDetails,
  alongside: Alongside<Organization>,
): Promise<Organization> {
  const { organization, writes } = planOrganization(details, founderId);
  await write(
    ...(await alongside(organization)),
    ...writes,
    planNewOwner(founderId, () => sessionInvalid()),
  );

  return organization;
}
