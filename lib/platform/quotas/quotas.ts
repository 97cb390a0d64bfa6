import { wholeNumber } from '#lib/platform/config.ts';
import {
  absent,
  allOf,
  below,
  belowAttribute,
  type Condition,
  either,
} from '#lib/platform/db/conditions.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { change, count, type Write } from '#lib/platform/db/write.ts';
import { type ApiError, apiError } from '#lib/platform/errors/failures.ts';
import { type QuotaName, quotaMessage, quotas } from '#schemas/quotas.ts';

export function quotaLimit(name: QuotaName): number {
  const { variable, limit } = quotas[name];

  return wholeNumber(variable, limit);
}

/** The counter attribute with the organization's own limit, which the operator has set. */
export function ownLimit(name: QuotaName): string {
  return `limit_${name}`;
}

/**
 * Returns a 409 with the quota's name and limit.
 *
 * @param counter contains the organization's own limit, if there is one.
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

/** True while the counter `attribute` is below the quota. */
export function hasQuota(name: QuotaName, attribute: string): Condition {
  const limit = quotaLimit(name);
  const isBelow = below(attribute, limit);

  const hasRoom = limit > 0 ? either(absent(attribute), isBelow) : isBelow;
  const own = ownLimit(name);

  return allOf(hasRoom, either(absent(own), belowAttribute(attribute, own)));
}

type Counted = {
  /** The attribute that contains the number. */
  readonly attribute?: string;
  /** Other attributes that change together with it. */
  readonly add?: Readonly<Record<string, number>>;
};

/**
 * Counts a new record in the transaction that creates it. Fails with a 409 if the quota is used up,
 * so concurrent requests cannot exceed it. The transaction that deletes the record contains
 * `planQuotaRelease`.
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

/** Subtracts a record from its quota, in the transaction that deletes the record. */
export function planQuotaRelease(
  counter: Key,
  { attribute = 'value', add = {} }: Counted = {},
): Write {
  return count(counter, { [attribute]: -1, ...add });
}
