import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchWriteCommand,
  DynamoDBDocumentClient,
  PutCommand,
  paginateScan,
} from '@aws-sdk/lib-dynamodb';

export type Item = Readonly<Record<string, unknown>> & { readonly pk: string; readonly sk: string };

const table = DynamoDBDocumentClient.from(
  new DynamoDBClient({ endpoint: String(process.env.DYNAMODB_ENDPOINT) }),
);

/** Everything that is stored, or what lies in partitions that begin with `prefix`. */
export async function storedItems(prefix = ''): Promise<readonly Item[]> {
  const items: Item[] = [];
  const pages = paginateScan(
    { client: table },
    { TableName: process.env.TABLE_NAME, ConsistentRead: true },
  );
  for await (const { Items = [] } of pages) {
    items.push(...(Items as Item[]));
  }

  return items.filter(({ pk }) => pk.startsWith(prefix));
}

/** What is stored beside the counters of rate limits, which every call leaves. */
export async function lastingItems(): Promise<readonly Item[]> {
  return (await storedItems()).filter(({ pk }) => !pk.startsWith('RATE#'));
}

/** Stores an item past the service. */
export async function storeItem(item: Item): Promise<void> {
  await table.send(new PutCommand({ TableName: process.env.TABLE_NAME, Item: { ...item } }));
}

const batchSize = 25;
const batchesAtOnce = 8;

/** Stores many items past the service, as fast as the table takes them. */
export async function storeItems(items: readonly Item[]): Promise<void> {
  const starts = Array.from(
    { length: Math.ceil(items.length / batchSize) },
    (_, index) => index * batchSize,
  ).values();
  const storeBatches = async () => {
    for (const start of starts) {
      await storeBatch(items.slice(start, start + batchSize));
    }
  };
  await Promise.all(Array.from({ length: batchesAtOnce }, storeBatches));
}

async function storeBatch(items: readonly Item[]): Promise<void> {
  const requests = items.map((item) => ({ PutRequest: { Item: { ...item } } }));
  await table.send(
    new BatchWriteCommand({ RequestItems: { [String(process.env.TABLE_NAME)]: requests } }),
  );
}
