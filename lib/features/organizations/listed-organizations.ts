import { randomInt } from 'node:crypto';
import type { Amounts } from '#lib/platform/db/amounts.ts';
import { allOf, equals, unchanged } from '#lib/platform/db/conditions.ts';
import { ConditionNotMetError } from '#lib/platform/db/failures.ts';
import { organizationKeys, organizationRanges } from '#lib/platform/db/keys/organizations.ts';
import { query } from '#lib/platform/db/read.ts';
import {
  type Change,
  change,
  count,
  create,
  discard,
  put,
  remove,
  type Write,
} from '#lib/platform/db/write.ts';
import { type ApiError, apiError, notFound } from '#lib/platform/errors/failures.ts';
import { type Organization, planOrganizationChange } from './organizations.ts';

/** The total is spread over several items, so that concurrent signups do not contend for one. */
const shards = 16;

type Listed = Pick<Organization, 'organizationId' | 'externalId' | 'suspendedAt' | 'limits'>;

/** Plans the entry of a new organization in the operator's list, and the claim of its external id. */
export function planListing({ organizationId, externalId }: Listed): readonly Write[] {
  return [
    create(organizationKeys.listedOrganization(organizationId), { organizationId }),
    planTotals({ value: 1 }),
    ...(externalId ? [planExternalId(externalId, organizationId)] : []),
  ];
}

/** Plans to remove a deleted organization from the operator's list. */
export function planDelisting({
  organizationId,
  externalId,
  suspendedAt,
}: Listed): readonly Write[] {
  return [
    discard(organizationKeys.listedOrganization(organizationId)),
    discard(organizationKeys.suspendedOrganization(organizationId)),
    planTotals({ value: -1, ...(suspendedAt ? { suspended: -1 } : {}) }),
    ...(externalId ? [planExternalIdRelease(externalId, organizationId)] : []),
  ];
}

/**
 * Changes an organization if the attributes that its entry and claim depend on are unchanged.
 * Otherwise throws ConditionNotMetError: retry.
 */
export function planListedChange(
  { organizationId, externalId, suspendedAt, limits }: Listed,
  changes: Pick<Change, 'set' | 'add'>,
): Write {
  return planOrganizationChange(organizationId, {
    ...changes,
    when: allOf(
      unchanged('externalId', externalId),
      unchanged('suspendedAt', suspendedAt),
      unchanged('limits', limits),
    ),
    onConditionFailed: (stored) =>
      stored && !stored.deletedAt
        ? new ConditionNotMetError(organizationKeys.organization(organizationId), stored)
        : notFound('Organization'),
  });
}

/** Plans the entry of an organization that was suspended, or whose suspension ended. */
export function planSuspensionListing(
  organizationId: string,
  suspendedAt: string | null,
): readonly Write[] {
  const key = organizationKeys.suspendedOrganization(organizationId);

  return [
    suspendedAt ? put(key, { organizationId }) : discard(key),
    planTotals({ suspended: suspendedAt ? 1 : -1 }),
    change(organizationKeys.listedOrganization(organizationId), { set: { suspendedAt } }),
  ];
}

function planTotals(amounts: Amounts): Write {
  return count(organizationKeys.organizationCounter(randomInt(shards)), amounts);
}

/**
 * Returns the number of suspended organizations, or of all others. Without a filter, returns the
 * number of all.
 */
export async function countOrganizations(suspended: boolean | undefined): Promise<number> {
  const counted = await query<{ readonly value?: number; readonly suspended?: number }>(
    organizationRanges.organizationCounters(),
  );
  const sumOf = (field: 'value' | 'suspended') =>
    counted.reduce((sum, counter) => sum + (counter[field] ?? 0), 0);
  if (suspended === undefined) {
    return sumOf('value');
  }

  return suspended ? sumOf('suspended') : sumOf('value') - sumOf('suspended');
}

export function planExternalId(externalId: string, organizationId: string): Write {
  return create(organizationKeys.externalId(externalId), { organizationId }, externalIdTaken);
}

export function planExternalIdRelease(externalId: string, organizationId: string): Write {
  return remove(organizationKeys.externalId(externalId), {
    when: equals('organizationId', organizationId),
  });
}

function externalIdTaken(): ApiError {
  return apiError('EXTERNAL_ID_TAKEN', 'Another organization has this externalId');
}
