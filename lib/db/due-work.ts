import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { timestamp } from '#lib/clock.ts';
import { config } from '#lib/config.ts';
import { documentClient } from './client.ts';
import { dueShard, dueShards, type Key } from './keys.ts';

export type DueItem = Key & { readonly duePk: string; readonly dueAt: string };

/** The items of all shards whose time has come, the most overdue first, at most `limit` a shard. */
export async function findDueItems(limit: number): Promise<readonly DueItem[]> {
  const shards = Array.from({ length: dueShards }, (_, shard) => dueShard(shard));
  const found = await Promise.all(shards.map((shard) => findDueInShard(shard, limit)));

  return found.flat().sort((one, other) => one.dueAt.localeCompare(other.dueAt));
}

async function findDueInShard(shard: string, limit: number): Promise<readonly DueItem[]> {
  const { Items } = await documentClient.send(
    new QueryCommand({
      TableName: config.tableName,
      IndexName: 'due',
      KeyConditionExpression: 'duePk = :shard AND dueAt <= :now',
      ExpressionAttributeValues: { ':shard': shard, ':now': timestamp() },
      Limit: limit,
    }),
  );

  return (Items ?? []) as DueItem[];
}
