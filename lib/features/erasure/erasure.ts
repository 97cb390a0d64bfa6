import { leadKeys } from '#lib/platform/db/keys/leads.ts';
import { get } from '#lib/platform/db/read.ts';
import { requireFound } from '#lib/platform/errors/failures.ts';
import type { DataSource } from './data-sources.ts';
import type { ErasedCounts, NetworkCustomer } from './person-scope.ts';

/** The erasure of a contact, or of a network customer without one. */
export type Erasure = {
  readonly id: string;
  readonly organizationId: string;
  readonly contactId?: string;
  readonly status: 'PENDING' | 'DONE';
  readonly removed: ErasedCounts;
  /** The subjects of its claims. Removed when it is done. */
  readonly subjects?: readonly string[];
  /** The person's email addresses and placeholder addresses. Removed when it is done. */
  readonly addresses?: readonly string[];
  /** The ids of contacts that were merged into this one. */
  readonly formerIds?: readonly string[];
  /** The person's known ids at the networks. Removed when it is done. */
  readonly customers?: readonly NetworkCustomer[];
  /** The source that is being erased, and the last key that was checked there. */
  readonly place?: DataSource;
  readonly cursor?: string;
  readonly createdAt: string;
  readonly doneAt?: string;
};

export function findErasure(
  organizationId: string,
  erasureId: string,
): Promise<Erasure | undefined> {
  return get<Erasure>(leadKeys.erasure(organizationId, erasureId));
}

/** @throws 404 */
export async function requireErasure(organizationId: string, erasureId: string): Promise<Erasure> {
  return requireFound(await findErasure(organizationId, erasureId), 'Erasure');
}
