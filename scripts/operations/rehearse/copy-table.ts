import {
  BatchWriteItemCommand,
  DeleteTableCommand,
  DynamoDBClient,
  type DynamoDBClientConfig,
  ResourceNotFoundException,
  ScanCommand,
  type WriteRequest,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb';
import { createTable } from '#scripts/dev/stack/create-table.ts';

const itemsPerBatch = 25;
const maxWaitSeconds = 30;
const anybody: DynamoDBClientConfig = {
  region: 'eu-central-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
};

export type TableCopy = {
  readonly endpoint: string;
  readonly from: string;
  readonly to: string;
  /** Only matters for a database that separates tables by access key. */
  readonly owner?: Pick<DynamoDBClientConfig, 'region' | 'credentials'>;
};

/**
 * Copies all items of a local table into a new table, like a point-in-time restore in AWS. An older
 * copy with the same name is deleted first.
 *
 * @returns the number of items.
 */
export async function copyTable({
  endpoint,
  from,
  to,
  owner = anybody,
}: TableCopy): Promise<number> {
  const client = new DynamoDBClient({ ...owner, endpoint });
  try {
    await dropTable(endpoint, to, owner);
    await createTable(endpoint, to, owner);
    let copied = 0;
    let startKey: Record<string, NonNullable<unknown>> | undefined;
    do {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new ScanCommand({
          TableName: from,
          ConsistentRead: true,
          ...(startKey ? { ExclusiveStartKey: startKey as never } : {}),
        }),
      );
      await putAll(
        client,
        to,
        Items.map((Item) => ({ PutRequest: { Item } })),
      );
      copied += Items.length;
      startKey = LastEvaluatedKey;
    } while (startKey);

    return copied;
  } finally {
    client.destroy();
  }
}

/** Deletes a local table if it exists. */
export async function dropTable(
  endpoint: string,
  tableName: string,
  owner: Pick<DynamoDBClientConfig, 'region' | 'credentials'> = anybody,
): Promise<void> {
  const client = new DynamoDBClient({ ...owner, endpoint });
  try {
    await client.send(new DeleteTableCommand({ TableName: tableName }));
    await waitUntilTableNotExists(
      { client, maxWaitTime: maxWaitSeconds },
      { TableName: tableName },
    );
  } catch (failure) {
    if (!(failure instanceof ResourceNotFoundException)) {
      throw failure;
    }
  } finally {
    client.destroy();
  }
}

async function putAll(
  client: DynamoDBClient,
  tableName: string,
  requests: readonly WriteRequest[],
): Promise<void> {
  let waiting = [...requests];
  while (waiting.length > 0) {
    const batch = waiting.slice(0, itemsPerBatch);
    const { UnprocessedItems = {} } = await client.send(
      new BatchWriteItemCommand({ RequestItems: { [tableName]: batch } }),
    );
    waiting = [...waiting.slice(itemsPerBatch), ...(UnprocessedItems[tableName] ?? [])];
  }
}
