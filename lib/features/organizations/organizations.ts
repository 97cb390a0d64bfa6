import { auditWrites } from '#lib/platform/audit/audit-log.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { isNotYet } from '#lib/platform/db/changes-something.ts';
import { absent } from '#lib/platform/db/conditions.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get, getMany } from '#lib/platform/db/read.ts';
import {
  type Change,
  ConditionNotMet,
  change,
  create,
  ensure,
  type Write,
} from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { notFound } from '#lib/platform/errors/failures.ts';
import type { Membership } from '#lib/platform/identity/identity.ts';
import type { Role } from '#schemas/contract.ts';

export type OrganizationSettings = {
  readonly allowMemberInvites: boolean;
  readonly requireApprovalForJoins: boolean;
  readonly defaultRole: Role;
};

export type Organization = {
  readonly organizationId: string;
  readonly name: string;
  readonly description?: string;
  readonly website?: string;
  readonly industry?: string;
  readonly size?: string;
  readonly timezone?: string;
  readonly settings: OrganizationSettings;
  readonly memberCount: number;
  readonly ownerCount: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Set when it has been deleted and the removal of what belonged to it is under way. */
  readonly deletedAt?: string;
};

export type OrganizationDetails = {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly website?: string | null | undefined;
  readonly industry?: string | null | undefined;
  readonly size?: string | null | undefined;
  readonly timezone?: string | undefined;
};

/** Both sides of a membership. */
export function createMembership(membership: Membership, refused?: () => Error): readonly Write[] {
  const { organizationId, userId } = membership;

  return [
    create(keys.member(organizationId, userId), membership, refused),
    create(keys.userMembership(userId, organizationId), membership, refused),
  ];
}

/** The organization, unless it has been deleted. */
export async function findOrganization(organizationId: string): Promise<Organization | undefined> {
  const organization = await get<Organization>(keys.organization(organizationId));

  return organization?.deletedAt ? undefined : organization;
}

/** @throws 404 */
export async function requireOrganization(organizationId: string): Promise<Organization> {
  const organization = await findOrganization(organizationId);
  if (!organization) {
    throw notFound('Organization');
  }

  return organization;
}

/** The organizations of these memberships, in their order, without those that have been deleted. */
export async function withOrganizations<M extends Membership>(
  memberships: readonly M[],
): Promise<ReadonlyArray<{ membership: M; organization: Organization }>> {
  const organizations = await getMany<Organization>(
    memberships.map(({ organizationId }) => keys.organization(organizationId)),
  );

  return memberships.flatMap((membership, index) => {
    const organization = organizations[index];

    return organization && !organization.deletedAt ? [{ membership, organization }] : [];
  });
}

/** A change of an organization that has not been deleted. */
export function changeOrganization(organizationId: string, { when, ...rest }: Change): Write {
  const alive = absent('deletedAt');

  return change(keys.organization(organizationId), {
    refused: () => notFound('Organization'),
    ...rest,
    when: when ? (expression) => `${alive(expression)} AND ${when(expression)}` : alive,
  });
}

/** Holds while the organization has not been deleted. */
export function organizationStands(organizationId: string): Write {
  return ensure(keys.organization(organizationId), {
    when: absent('deletedAt'),
    refused: () => notFound('Organization'),
  });
}

export type OrganizationPatch = {
  readonly [Field in keyof OrganizationDetails]?: OrganizationDetails[Field] | undefined;
} & {
  readonly settings?:
    | {
        readonly [Setting in keyof OrganizationSettings]?:
          | OrganizationSettings[Setting]
          | undefined;
      }
    | undefined;
};

/** Changes only what is given; `settings` is merged with what is there. What is so already changes nothing. */
export async function updateOrganization(
  organizationId: string,
  actorId: string,
  { settings = {}, ...fields }: OrganizationPatch,
): Promise<Organization> {
  const changes = {
    ...fields,
    ...Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [`settings.${name}`, value]),
    ),
  };
  const changed = Object.keys(changes).filter(
    (name) => changes[name as keyof typeof changes] !== undefined,
  );
  if (changed.length > 0) {
    const key = keys.organization(organizationId);
    await writeIfMet(
      changeOrganization(organizationId, {
        set: { ...changes, updatedAt: timestamp() },
        when: isNotYet(changes),
        refused: (stored) => new ConditionNotMet(key, stored),
      }),
      ...auditWrites(organizationId, {
        action: 'organization.updated',
        actorId,
        targetType: 'organization',
        targetId: organizationId,
        details: { fields: changed },
      }),
    );
  }

  return requireOrganization(organizationId);
}

/** How an organization is shown to one of its members. */
export function presentOrganization(organization: Organization, role: Role) {
  return { ...organization, id: organization.organizationId, role };
}

/** How a membership is shown to the user whose it is. */
export function presentMembership({ membership, organization }: MembershipOfOrganization) {
  return {
    id: organization.organizationId,
    name: organization.name,
    role: membership.role,
    joinedAt: membership.joinedAt,
  };
}

export type MembershipOfOrganization = {
  readonly membership: Membership;
  readonly organization: Organization;
};
