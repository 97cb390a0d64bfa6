import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { timestamp } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { documentClient } from '#lib/platform/db/client.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { type DueQueue, dueShard, dueShards } from '#lib/platform/db/keys/system.ts';

export type DueItem = Key & { readonly duePk: string; readonly dueAt: string };

/** Ids are spread evenly, so a shard rarely has more than this multiple of its share. */
const maxSkew = 4;

/**
 * Returns the due items of a queue, most overdue first, at most `limit`. The index is
 * eventually consistent, so claim items with a conditional write. `until` fixes the moment, so that
 * loops that reschedule items terminate.
 */
export async function findDueItems(
  queue: DueQueue,
  limit: number,
  until = timestamp(),
): Promise<readonly DueItem[]> {
  const shards = Array.from({ length: dueShards }, (_, shard) => dueShard(queue, shard));
  const perShard = Math.ceil((limit / dueShards) * maxSkew);
  const found = await Promise.all(shards.map((shard) => findDueInShard(shard, perShard, until)));

  return found
    .flat()
    .sort((one, other) => one.dueAt.localeCompare(other.dueAt))
    .slice(0, limit);
}

/** Reads several pages, because a page may end before the limit. */
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
