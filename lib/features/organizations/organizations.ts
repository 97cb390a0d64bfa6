import { absent, allOf, type Condition, either, equals } from '#lib/platform/db/conditions.ts';
import type { StoredItem } from '#lib/platform/db/failures.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { userKeys } from '#lib/platform/db/keys/users.ts';
import { get, getMany } from '#lib/platform/db/read.ts';
import { type Change, change, create, ensure, type Write } from '#lib/platform/db/write.ts';
import {
  type ApiError,
  notFound,
  organizationSuspended,
  requireFound,
} from '#lib/platform/errors/failures.ts';
import type { Membership } from '#lib/platform/identity/identity.ts';
import { utc } from '#lib/platform/time-zone.ts';
import { type BodyOf, type Role, ranksAtLeast, roles } from '#schemas/contract.ts';
import type * as contracts from '#schemas/organizations.ts';
import type { LimitName } from '#schemas/quotas.ts';

export type OrganizationSettings = {
  readonly allowMemberInvites: boolean;
  readonly requireApprovalForJoins: boolean;
  readonly defaultRole: Role;
  /** Absent for the defaults from `schemas/consent-words.ts`. */
  readonly optOutWords?: readonly string[];
  readonly optInWords?: readonly string[];
  readonly optOutMessage?: string;
  /** Appended to the agent's first answer in each conversation. */
  readonly aiDisclosure?: string;
  /** Messages are removed after this many days. Absent if they are kept. */
  readonly retentionDays?: number;
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
  /** The user whose quota counts it. Absent for older organizations. */
  readonly founderId?: string;
  readonly memberCount: number;
  readonly ownerCount: number;
  /**
   * Incremented by everything that adds invitations of a MEMBER: inviting as one, and becoming one.
   */
  readonly inviteVersion?: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The operator's own id for it, see `keys.externalId`. */
  readonly externalId?: string;
  /** The operator's limits, if lower than the service's. */
  readonly limits?: Readonly<Partial<Record<LimitName, number>>>;
  /**
   * Set while the operator has suspended it. Copied to members and API keys, see `suspension.ts`.
   */
  readonly suspendedAt?: string;
  readonly suspensionReason?: string;
  /** The number of suspensions and ends of suspensions. */
  readonly suspensionVersion?: number;
  /** Set when the organization was deleted. Its data is then removed in the background. */
  readonly deletedAt?: string;
  /** The user whose account was deleted with it. */
  readonly deletedWith?: string;
};

export type OrganizationDetails = BodyOf<typeof contracts.createOrganization>;

/** Stores a membership under both the organization and the user. */
export function planMembership(
  membership: Membership,
  onConditionFailed?: () => Error,
): readonly Write[] {
  const { organizationId, userId } = membership;

  return [
    create(organizationKeys.member(organizationId, userId), membership, onConditionFailed),
    create(userKeys.userMembership(userId, organizationId), membership, onConditionFailed),
  ];
}

/** Returns the organization, unless it was deleted. */
export async function findOrganization(organizationId: string): Promise<Organization | undefined> {
  const organization = await get<Organization>(organizationKeys.organization(organizationId));

  return organization?.deletedAt ? undefined : organization;
}

/** Returns the organization for a public page. Undefined while it is suspended. */
export async function findOpenOrganization(
  organizationId: string,
): Promise<Organization | undefined> {
  const organization = await findOrganization(organizationId);

  return organization?.suspendedAt ? undefined : organization;
}

/** Returns the time zone of an organization's days and hours. */
export async function timezoneOf(organizationId: string): Promise<string> {
  const { timezone = utc } = (await findOrganization(organizationId)) ?? {};

  return timezone;
}

/** @throws 404 */
export async function requireOrganization(organizationId: string): Promise<Organization> {
  return requireFound(await findOrganization(organizationId), 'Organization');
}

/** Returns the organizations of these memberships, in order, without deleted ones. */
export async function withOrganizations<M extends Membership>(
  memberships: readonly M[],
): Promise<ReadonlyArray<{ membership: M; organization: Organization }>> {
  const organizations = await getMany<Organization>(
    memberships.map(({ organizationId }) => organizationKeys.organization(organizationId)),
  );

  return memberships.flatMap((membership, index) => {
    const organization = organizations[index];

    return organization && !organization.deletedAt ? [{ membership, organization }] : [];
  });
}

export function planOrganizationChange(organizationId: string, { when, ...rest }: Change): Write {
  const alive = absent('deletedAt');

  return change(organizationKeys.organization(organizationId), {
    onConditionFailed: () => notFound('Organization'),
    ...rest,
    when: when ? (expression) => `${alive(expression)} AND ${when(expression)}` : alive,
  });
}

/** True if a member's role still ranks at least as high as the role that authorized the request. */
export function ranksStill(role: Role): Condition {
  return either(
    ...roles.filter((held) => ranksAtLeast(held, role)).map((held) => equals('role', held)),
  );
}

/** Requires that the organization is neither deleted nor suspended. */
export function planOrganizationOpen(organizationId: string): Write {
  return ensure(organizationKeys.organization(organizationId), {
    when: isOpen,
    onConditionFailed: notOpen,
  });
}

export const isOpen: Condition = allOf(absent('deletedAt'), absent('suspendedAt'));

/** Returns the error for a write that requires `isOpen`. */
export function notOpen(stored: StoredItem | undefined): ApiError {
  return stored?.suspendedAt && !stored.deletedAt
    ? organizationSuspended()
    : notFound('Organization');
}

/** Requires that the organization was not deleted. */
export function planOrganizationExists(organizationId: string): Write {
  return ensure(organizationKeys.organization(organizationId), {
    when: absent('deletedAt'),
    onConditionFailed: () => notFound('Organization'),
  });
}

export function presentOrganization(organization: Organization, role: Role) {
  return { ...organization, id: organization.organizationId, role };
}

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
