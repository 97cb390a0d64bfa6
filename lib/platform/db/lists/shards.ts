import { randomInt } from 'node:crypto';
import { type DueQueue, dueShard, dueShards } from '#lib/platform/db/keys/system.ts';

/** Shards of each list index, so that a single partition does not limit its write rate. */
export const listShards = 4;

/** Returns the shard of an id. Always the same for an id, and spread evenly over all ids. */
export function shardOf(id: string, shards: number): number {
  return Number.parseInt(id.slice(-6), 16) % shards;
}

/** The kinds of records in list indexes. */
export type ListKind =
  | 'lead'
  | 'contact'
  | 'import'
  | 'conversation'
  | 'post'
  | 'stagedPost'
  | 'deletedPost';

/** The attribute `list` of an item: its kind and shard. */
export type ListShard<Kind extends ListKind> = `${Kind}#${number}`;

/** Returns the attribute `list` of the item with this id. */
export function listOf<Kind extends ListKind>(kind: Kind, id: string): ListShard<Kind> {
  return `${kind}#${shardOf(id, listShards)}`;
}

export function isInList(list: string, kind: ListKind): boolean {
  return list.startsWith(`${kind}#`);
}

/**
 * Attributes that schedule an item in a queue of due work. With `id`, the shard is always the same,
 * so a write that keeps the time does not change the index.
 */
export function dueIn(queue: DueQueue, dueAt: string, id?: string) {
  const shard = id === undefined ? randomInt(dueShards) : shardOf(id, dueShards);

  return { duePk: dueShard(queue, shard), dueAt };
}
