import { wholeNumber } from '#lib/platform/config.ts';
import {
  absent,
  allOf,
  below,
  belowAttribute,
  type Condition,
  either,
} from '#lib/platform/db/conditions.ts';
import type { Key } from '#lib/platform/db/keys.ts';
import { change, count, type Write } from '#lib/platform/db/write.ts';
import type { ApiError } from '#lib/platform/errors/api-error.ts';
import { apiError } from '#lib/platform/errors/failures.ts';
import { type QuotaName, quotaMessage, quotas } from '#schemas/quotas.ts';

export function quotaLimit(name: QuotaName): number {
  const { variable, limit } = quotas[name];

  return wholeNumber(variable, limit);
}

/** The attribute of a counter with the organization's own limit, which the operator has set. */
export function ownLimit(name: QuotaName): string {
  return `limit_${name}`;
}

/**
 * 409 with the quota's name and limit.
 *
 * @param counter has the organization's own limit, if there is one.
 */
export function quotaExceeded(name: QuotaName, counter?: object): ApiError {
  const own: unknown = { ...counter }[ownLimit(name)];
  const limit = Math.min(
    quotaLimit(name),
    typeof own === 'number' ? own : Number.POSITIVE_INFINITY,
  );

  return apiError('QUOTA_EXCEEDED', quotaMessage(name, limit), {
    fields: { quota: { name, limit } },
  });
}

/** Holds while the counter `attribute` has room for one more. */
export function hasQuota(name: QuotaName, attribute: string): Condition {
  const limit = quotaLimit(name);
  const isBelow = below(attribute, limit);

  const hasRoom = limit > 0 ? either(absent(attribute), isBelow) : isBelow;
  const own = ownLimit(name);

  return allOf(hasRoom, either(absent(own), belowAttribute(attribute, own)));
}

type Counted = {
  /** The attribute that holds the number. */
  readonly attribute?: string;
  /** Further attributes that change with it. */
  readonly add?: Readonly<Record<string, number>>;
};

/**
 * Counts a new record in the transaction that creates it, and fails with a 409 if the quota is used
 * up. So of concurrent requests for the last place, one succeeds. The transaction that deletes the
 * record contains `planQuotaRelease`.
 */
export function planQuotaUse(
  counter: Key,
  name: QuotaName,
  { attribute = 'value', add = {} }: Counted = {},
): Write {
  return change(counter, {
    add: { [attribute]: 1, ...add },
    when: hasQuota(name, attribute),
    orCreate: true,
    onConditionFailed: (stored) => quotaExceeded(name, stored),
  });
}

/** Returns the place of a record, in the transaction that deletes it. */
export function planQuotaRelease(
  counter: Key,
  { attribute = 'value', add = {} }: Counted = {},
): Write {
  return count(counter, { [attribute]: -1, ...add });
}
