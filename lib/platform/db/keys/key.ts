/** The primary key of an item. Key strings are built only in this folder. */
export type Key = { readonly pk: string; readonly sk: string };

export type KeyRange = { readonly pk: string; readonly from: string; readonly to: string };

/** A tenant's partition. Tenant keys cannot be built without the organization's id. */
export const tenant = (organizationId: string) => `ORG#${organizationId}`;

export const person = (userId: string) => `USER#${userId}`;

export const key = (pk: string, sk: string): Key => ({ pk, sk });

/** The key of an item in the tenant's main partition. */
export const inTenant = (organizationId: string, sk: string) => key(tenant(organizationId), sk);

/** Sorts after every other character. DynamoDB compares keys by their UTF-8 bytes. */
export const last = '\u{10ffff}';

export function compareSortKeys(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

export function beginningWith(pk: string, prefix: string): KeyRange {
  return { pk, from: prefix || ' ', to: `${prefix}${last}` };
}

export function between(pk: string, from: string, to: string): KeyRange {
  return { pk, from, to };
}

export function wholePartition(pk: string): KeyRange {
  return { pk, from: ' ', to: last };
}

export function counterShard(shard: number): string {
  return String(shard).padStart(2, '0');
}

/** Spreads search words over partitions, because each new contact adds several. */
export const wordShards = 16;

/** Words with the same first character share a shard, because searches are by prefix. */
export function wordShard(word: string): number {
  return (word.codePointAt(0) ?? 0) % wordShards;
}

export function organizationIdOf({ pk }: Key): string {
  return pk.split('#')[1] ?? '';
}

/** Returns the id of a record with its own partition. */
export function recordIdOf({ pk }: Key): string {
  return pk.split('#')[3] ?? '';
}

export function tenantOf(key: Key): string | undefined {
  return key.pk.startsWith('ORG#') ? organizationIdOf(key) : undefined;
}

const outboxPrefix = 'OUTBOX#';

/** The prefix of the sort keys of all work of a kind in a partition. */
export function workOf(kind: string): string {
  return `${outboxPrefix}${kind}#`;
}

export function outboxKind(sk: string): string | undefined {
  return sk.startsWith(outboxPrefix) ? sk.split('#')[1] : undefined;
}
