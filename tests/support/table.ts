import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  type BatchWriteCommandInput,
  DynamoDBDocumentClient,
  PutCommand,
  paginateScan,
  type ScanCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { createTable } from '#scripts/dev/stack/create-table.ts';

export type Item = Readonly<Record<string, unknown>> & { readonly pk: string; readonly sk: string };
type Key = Pick<Item, 'pk' | 'sk'>;

const table = DynamoDBDocumentClient.from(
  new DynamoDBClient({ endpoint: String(process.env.DYNAMODB_ENDPOINT) }),
);

/** Returns all stored items, or those in partitions starting with `prefix`. */
export async function storedItems(prefix = ''): Promise<readonly Item[]> {
  return (await scan({})).filter(({ pk }) => pk.startsWith(prefix));
}

/** Returns all items in queues of due items whose time is not after `until`. */
export function dueItems(until: string): Promise<readonly Item[]> {
  return scan({
    FilterExpression: 'attribute_exists(duePk) AND dueAt <= :until',
    ExpressionAttributeValues: { ':until': until },
  });
}

async function scan(filter: Omit<ScanCommandInput, 'TableName'>): Promise<readonly Item[]> {
  const items: Item[] = [];
  const pages = paginateScan(
    { client: table },
    { TableName: process.env.TABLE_NAME, ConsistentRead: true, ...filter },
  );
  for await (const { Items = [] } of pages) {
    items.push(...(Items as Item[]));
  }

  return items;
}

/** Replaces the table with an empty one. */
export async function emptyTable(): Promise<void> {
  const TableName = String(process.env.TABLE_NAME);
  await table.send(new DeleteTableCommand({ TableName }));
  await createTable(String(process.env.DYNAMODB_ENDPOINT), TableName, {});
}

/** True for rate limit counters, which every call writes, and for the leases of long work. */
export function isPassing(pk: string): boolean {
  return pk.startsWith('RATE#') || pk.startsWith('WORK_SLOTS#');
}

export async function lastingItems(): Promise<readonly Item[]> {
  return (await storedItems()).filter(({ pk }) => !isPassing(pk));
}

/** Stores an item directly, without the service. */
export async function storeItem(item: Item): Promise<void> {
  await table.send(new PutCommand({ TableName: process.env.TABLE_NAME, Item: { ...item } }));
}

const batchesAtOnce = 8;

/** Processes a list in batches, several at a time. */
async function inBatches<T>(
  all: readonly T[],
  size: number,
  handle: (batch: readonly T[]) => Promise<void>,
): Promise<void> {
  const batches = Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
  await atMostAtOnce(batchesAtOnce, batches, handle);
}

/** Stores many items directly, as fast as the table accepts them. */
export function storeItems(items: readonly Item[]): Promise<void> {
  return sendRequests(items.map((item) => ({ PutRequest: { Item: { ...item } } })));
}

/** Deletes items directly, like the table when they expire. */
export function removeItems(keys: readonly Key[]): Promise<void> {
  return sendRequests(keys.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })));
}

type WriteRequests = NonNullable<BatchWriteCommandInput['RequestItems']>[string];

function sendRequests(all: WriteRequests): Promise<void> {
  return inBatches(all, 25, async (requests) => {
    const { UnprocessedItems } = await table.send(
      new BatchWriteCommand({ RequestItems: { [String(process.env.TABLE_NAME)]: [...requests] } }),
    );
    if (Object.keys(UnprocessedItems ?? {}).length > 0) {
      throw new Error('The table left a part of a batch unprocessed');
    }
  });
}

/** Reads the items with these keys directly. */
export async function itemsUnder(keys: readonly Key[]): Promise<readonly Item[]> {
  const found: Item[] = [];
  const wanted = keys.map(({ pk, sk }) => ({ pk, sk }));
  await inBatches(wanted, 100, async (batch) => {
    const { Responses } = await table.send(
      new BatchGetCommand({
        RequestItems: {
          [String(process.env.TABLE_NAME)]: { Keys: [...batch], ConsistentRead: true },
        },
      }),
    );
    found.push(...((Responses?.[String(process.env.TABLE_NAME)] ?? []) as Item[]));
  });

  return found;
}
