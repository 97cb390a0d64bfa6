import { setTimeout as wait } from 'node:timers/promises';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { config } from '#lib/platform/config.ts';
import { overloaded } from '#lib/platform/errors/failures.ts';
import { backoffMs } from './backoff.ts';
import { documentClient } from './client.ts';
import type { Key } from './keys/key.ts';

const maxBatch = 25;
const concurrency = 8;
const maxTries = 8;

/**
 * Deletes items in parallel batches, whether or not they exist. Not atomic. Duplicate keys are
 * removed first, because DynamoDB rejects them within a batch.
 */
export async function removeMany(named: readonly Key[]): Promise<void> {
  const distinctKeys = [
    ...new Map(named.map((key) => [JSON.stringify([key.pk, key.sk]), key])).values(),
  ];
  const batches = Array.from({ length: Math.ceil(distinctKeys.length / maxBatch) }, (_, index) =>
    distinctKeys.slice(index * maxBatch, (index + 1) * maxBatch),
  );
  await atMostAtOnce(concurrency, batches, removeBatch);
}

async function removeBatch(batch: readonly Key[]): Promise<void> {
  let remaining: Parameters<typeof requestFor>[0] = batch.map(({ pk, sk }) => ({
    DeleteRequest: { Key: { pk, sk } },
  }));
  for (let tries = 1; remaining.length > 0; tries += 1) {
    const { UnprocessedItems } = await documentClient.send(requestFor(remaining));
    remaining = (UnprocessedItems?.[config.tableName] ?? []) as typeof remaining;
    if (remaining.length > 0 && tries === maxTries) {
      throw overloaded(new Error('The table left removals of a batch unprocessed'));
    }
    if (remaining.length > 0) {
      await wait(backoffMs(tries));
    }
  }
}

function requestFor(requests: Array<{ DeleteRequest: { Key: Key } }>) {
  return new BatchWriteCommand({ RequestItems: { [config.tableName]: requests } });
}
