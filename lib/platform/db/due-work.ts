import { randomInt } from 'node:crypto';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { timestamp } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { documentClient } from './client.ts';
import type { Key } from './keys/key.ts';
import { type DueQueue, dueShard, dueShards } from './keys/system.ts';
import { shardOf } from './sharded-list.ts';

export type DueItem = Key & { readonly duePk: string; readonly dueAt: string };

/**
 * Puts an item into a queue of due work, to be found when its time has come. With its id it always
 * stands in the same shard, so that a write which leaves the time as it was leaves the index too.
 */
export function dueIn(queue: DueQueue, dueAt: string, id?: string) {
  const shard = id === undefined ? randomInt(dueShards) : shardOf(id, dueShards);

  return { duePk: dueShard(queue, shard), dueAt };
}

/**
 * The items of a queue whose time has come, the most overdue first, at most `limit` of each shard.
 * The index is eventually consistent: what is found must be claimed by a conditional write. With
 * `until`, only what was due at that moment: a loop that moves items to now ends.
 */
export async function findDueItems(
  queue: DueQueue,
  limit: number,
  until = timestamp(),
): Promise<readonly DueItem[]> {
  const shards = Array.from({ length: dueShards }, (_, shard) => dueShard(queue, shard));
  const found = await Promise.all(shards.map((shard) => findDueInShard(shard, limit, until)));

  return found.flat().sort((one, other) => one.dueAt.localeCompare(other.dueAt));
}

/** A page of the index may end before the limit. */
async function findDueInShard(
  shard: string,
  limit: number,
  until: string,
): Promise<readonly DueItem[]> {
  const found: DueItem[] = [];
  let next: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await documentClient.send(
      new QueryCommand({
        TableName: config.tableName,
        IndexName: 'due',
        KeyConditionExpression: 'duePk = :shard AND dueAt <= :until',
        ExpressionAttributeValues: { ':shard': shard, ':until': until },
        Limit: limit - found.length,
        ...(next ? { ExclusiveStartKey: next } : {}),
      }),
    );
    found.push(...(Items as DueItem[]));
    next = LastEvaluatedKey;
  } while (next && found.length < limit);

  return found;
}
