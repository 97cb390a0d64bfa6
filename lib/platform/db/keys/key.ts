/** The primary key of an item. Key strings are built in this file and nowhere else. */
export type Key = { readonly pk: string; readonly sk: string };

/** A range of sort keys within one partition. */
export type KeyRange = { readonly pk: string; readonly from: string; readonly to: string };

/** The partition of one tenant. No key of a tenant can be built without its id. */
export const tenant = (organizationId: string) => `ORG#${organizationId}`;

export const person = (userId: string) => `USER#${userId}`;

/** Sorts after every character that occurs in a key. */
export const last = '\uffff';

export function beginningWith(pk: string, prefix: string): KeyRange {
  return { pk, from: prefix || ' ', to: `${prefix}${last}` };
}

export function wholePartition(pk: string): KeyRange {
  return { pk, from: ' ', to: last };
}

export function counterShard(shard: number): string {
  return String(shard).padStart(2, '0');
}

/** The organization in whose partitions a key lies. */
export function organizationIdOf({ pk }: Key): string {
  return pk.split('#')[1] ?? '';
}

/** The organization in whose partitions a key lies, if it is one's. */
export function tenantOf(key: Key): string | undefined {
  return key.pk.startsWith('ORG#') ? organizationIdOf(key) : undefined;
}
