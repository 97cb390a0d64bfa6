import {
  BatchWriteCommand,
  type BatchWriteCommandInput,
  type DynamoDBDocumentClient,
} from '@aws-sdk/lib-dynamodb';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { config } from '#lib/platform/config.ts';
import type { Key } from '#lib/platform/db/keys.ts';

export type Item = Key & Record<string, unknown>;

const itemsPerBatch = 25;
const batchesAtOnce = 4;

/** Sums up counter items. */
export function createSums() {
  const items = new Map<string, Item>();

  function addTo(key: Key, amounts: Readonly<Record<string, number>>): void {
    const item: Item = items.get(`${key.pk}/${key.sk}`) ?? { ...key };
    for (const [name, amount] of Object.entries(amounts)) {
      item[name] = Number(item[name] ?? 0) + amount;
    }
    items.set(`${key.pk}/${key.sk}`, item);
  }

  return { addTo, items: (): readonly Item[] => [...items.values()] };
}

/** Writes items without conditions or transactions. */
export async function putAll(
  client: DynamoDBDocumentClient,
  items: readonly Item[],
): Promise<void> {
  const batches = Array.from({ length: Math.ceil(items.length / itemsPerBatch) }, (_, index) =>
    items.slice(index * itemsPerBatch, (index + 1) * itemsPerBatch),
  );
  await atMostAtOnce(batchesAtOnce, batches, async (batch) => {
    let remaining: BatchWriteCommandInput['RequestItems'] = {
      [config.tableName]: batch.map((Item) => ({ PutRequest: { Item } })),
    };
    while (Object.keys(remaining ?? {}).length > 0) {
      const command = new BatchWriteCommand({ RequestItems: remaining });
      remaining = (await client.send(command)).UnprocessedItems;
    }
  });
}
