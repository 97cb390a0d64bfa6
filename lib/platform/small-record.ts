import type { Resource } from '#schemas/errors.ts';
import { organizationKeys, organizationRanges } from './db/keys/organizations.ts';
import { get, query } from './db/read.ts';
import { requireFound } from './errors/failures.ts';

/** The fields that every small record has, in addition to its own. */
export type SmallRecord = {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  /** Incremented by every change, for optimistic locking. */
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** The properties of a record type that reading needs. */
export type RecordKind = {
  /** The name of the record type in its 404. */
  readonly resource: Resource;
  /** The prefix of its sort keys and of its name claims. */
  readonly kind: string;
};

/** @throws 404 */
export async function requireRecord<Item extends SmallRecord>(
  { resource, kind }: RecordKind,
  organizationId: string,
  id: string,
): Promise<Item> {
  return requireFound(await get<Item>(organizationKeys.record(organizationId, kind, id)), resource);
}

/** Returns all records of a kind, newest first. */
export function listRecords<Item extends SmallRecord>(
  { kind }: RecordKind,
  organizationId: string,
): Promise<readonly Item[]> {
  return query<Item>(organizationRanges.records(organizationId, kind), { newestFirst: true });
}
