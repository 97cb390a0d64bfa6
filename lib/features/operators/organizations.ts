import {
  countOrganizations,
  planExternalId,
  planExternalIdRelease,
  planListedChange,
} from '#lib/features/organizations/listed-organizations.ts';
import {
  findOrganization,
  type Organization,
  requireOrganization,
} from '#lib/features/organizations/organizations.ts';
import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { definedFields } from '#lib/platform/compact.ts';
import { changesSomething } from '#lib/platform/db/changes-something.ts';
import { absent } from '#lib/platform/db/conditions.ts';
import { organizationKeys, organizationRanges } from '#lib/platform/db/keys/organizations.ts';
import type { PageRequest } from '#lib/platform/db/lists/cursor.ts';
import { listPage, type Page } from '#lib/platform/db/lists/list.ts';
import { get, getMany } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { applied, type Write, write } from '#lib/platform/db/write.ts';
import type { BodyOf, QueryOf } from '#schemas/contract.ts';
import type * as contracts from '#schemas/operators.ts';
import { changedLimits, limitsOf, memberLimit, planLimits } from './limits.ts';
import { planSuspension } from './suspension.ts';

export function presentForOperator(organization: Organization) {
  return { ...organization, id: organization.organizationId, limits: limitsOf(organization) };
}

/** Returns one page of all organizations, newest first. */
export async function listForOperator({
  externalId,
  ...others
}: QueryOf<typeof contracts.listPlatformOrganizations>): Promise<Page<Organization>> {
  return externalId === undefined
    ? listAll(others)
    : pageOf(await findByExternalId(externalId), others.suspended);
}

async function listAll({
  suspended,
  ...request
}: PageRequest & { readonly suspended?: boolean | undefined }): Promise<Page<Organization>> {
  const { items, pagination } = await listPage<Pick<Organization, 'organizationId'>>(
    suspended
      ? organizationRanges.suspendedOrganizations()
      : organizationRanges.listedOrganizations(),
    request,
    () => countOrganizations(suspended),
    suspended === false ? absent('suspendedAt') : undefined,
  );
  const organizations = await getMany<Organization>(
    items.map(({ organizationId }) => organizationKeys.organization(organizationId)),
  );

  return { items: organizations.filter((found) => found !== undefined), pagination };
}

async function findByExternalId(externalId: string): Promise<Organization | undefined> {
  const claim = await get<Pick<Organization, 'organizationId'>>(
    organizationKeys.externalId(externalId),
  );

  return claim && findOrganization(claim.organizationId);
}

function pageOf(found: Organization | undefined, suspended?: boolean): Page<Organization> {
  const isWanted =
    found && (suspended === undefined || suspended === (found.suspendedAt !== undefined));
  const items = isWanted ? [found] : [];
  const pagination = { total: items.length, page: 1, limit: 1, hasMore: false, nextCursor: null };

  return { items, pagination };
}

/**
 * Changes the given fields. Values that are already set cause no write, so a second suspension
 * keeps the time of the first. A worker then applies a suspension, or ends it.
 *
 * @throws 404, or 409 if another organization has the external id.
 */
export function updateForOperator(
  organizationId: string,
  {
    suspended,
    reason,
    limits: limitsPatch,
    ...fields
  }: BodyOf<typeof contracts.updatePlatformOrganization>,
): Promise<Organization> {
  return retryWhenOvertaken('organization', async () => {
    const organization = await requireOrganization(organizationId);
    const suspension = suspensionOf(organization, suspended, reason);
    const limits = limitsPatch && changedLimits(organization.limits, limitsPatch);
    const changed = { ...definedFields({ ...fields, limits }), ...suspension };
    if (!changesSomething(organization, changed)) {
      return organization;
    }
    const set = {
      ...changed,
      ...(limits ? memberLimit(limits) : {}),
      updatedAt: timestamp(),
    };
    await write(
      planListedChange(organization, {
        set,
        ...(suspension ? { add: { suspensionVersion: 1 } } : {}),
      }),
      ...planExternalIdChange(organization, fields.externalId),
      ...(limits ? planLimits(organizationId, limits) : []),
      ...(suspension ? planSuspension(organizationId, suspension.suspendedAt) : []),
      ...planAudit(organizationId, {
        action: actionOf(suspension?.suspendedAt),
        actorId: null,
        details: {
          fields: Object.keys(definedFields({ ...fields, limits })),
          ...(limits ? { limits } : {}),
          ...(suspension?.suspendedAt ? { reason } : {}),
        },
      }),
    );

    return applied(organization, set);
  });
}

/** Returns the attributes of a suspension or of its end, if it changes anything. */
function suspensionOf(
  organization: Organization,
  suspended: boolean | undefined,
  reason: string | undefined,
) {
  if (suspended === undefined || suspended === (organization.suspendedAt !== undefined)) {
    return undefined;
  }

  return suspended
    ? { suspendedAt: timestamp(), suspensionReason: reason ?? null }
    : { suspendedAt: null, suspensionReason: null };
}

function actionOf(suspendedAt: string | null | undefined) {
  if (suspendedAt === undefined) {
    return 'organization.updated';
  }

  return suspendedAt ? 'organization.suspended' : 'organization.resumed';
}

function planExternalIdChange(
  { organizationId, externalId: former }: Organization,
  externalId: string | null | undefined,
): readonly Write[] {
  if (externalId === undefined || (externalId ?? undefined) === former) {
    return [];
  }

  return [
    ...(externalId ? [planExternalId(externalId, organizationId)] : []),
    ...(former ? [planExternalIdRelease(former, organizationId)] : []),
  ];
}
