import { planDefaultPipeline } from '#lib/features/leads/pipelines/pipelines.ts';
import { planListing } from '#lib/features/organizations/listed-organizations.ts';
import {
  type Organization,
  type OrganizationDetails,
  type OrganizationSettings,
  planMembership,
} from '#lib/features/organizations/organizations.ts';
import { planNewOwner } from '#lib/features/users/users.ts';
import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { userKeys } from '#lib/platform/db/keys/users.ts';
import { create, type ExtraWrites, type Write, write } from '#lib/platform/db/write.ts';
import { sessionInvalid } from '#lib/platform/errors/failures.ts';
import { newId } from '#lib/platform/ids.ts';
import { planQuotaUse } from '#lib/platform/quotas/quotas.ts';

const defaultSettings: OrganizationSettings = {
  allowMemberInvites: false,
  requireApprovalForJoins: false,
  defaultRole: 'MEMBER',
};

type Details = OrganizationDetails & Pick<Organization, 'externalId'>;

/** Returns a new organization, and the writes that create it with its OWNER, if it has one. */
export function planOrganization(details: Details, ownerId?: string) {
  const organizationId = newId();
  const now = timestamp();
  const organization: Organization = {
    ...(details as Organization),
    organizationId,
    settings: defaultSettings,
    ...(ownerId ? { founderId: ownerId } : {}),
    memberCount: ownerId ? 1 : 0,
    ownerCount: ownerId ? 1 : 0,
    createdAt: now,
    updatedAt: now,
  };
  const writes: readonly Write[] = [
    create(organizationKeys.organization(organizationId), organization),
    ...planListing(organization),
    ...(ownerId ? planOwner(organization, ownerId) : []),
    ...planDefaultPipeline(organizationId),
    ...planAudit(organizationId, {
      action: 'organization.created',
      actorId: ownerId ?? null,
    }),
  ];

  return { organization, writes };
}

function planOwner({ organizationId, createdAt }: Organization, userId: string): readonly Write[] {
  return [
    planQuotaUse(userKeys.foundedOrganizations(userId), 'organizations'),
    ...planMembership({ organizationId, userId, role: 'OWNER', joinedAt: createdAt }),
  ];
}

export async function createOrganization(
  founderId: string,
  details: OrganizationDetails,
  extraWrites: ExtraWrites<Organization>,
): Promise<Organization> {
  const { organization, writes } = planOrganization(details, founderId);
  await write(
    ...(await extraWrites(organization)),
    ...writes,
    planNewOwner(founderId, () => sessionInvalid()),
  );

  return organization;
}
