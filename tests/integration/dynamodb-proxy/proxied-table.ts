import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { createTable } from '#scripts/dev/stack/create-table.ts';
import { startTable } from '#scripts/dev/table/start-table.ts';
import {
  type DynamoDbProxy,
  startDynamoDbProxy,
} from '#scripts/dynamodb-proxy/start-dynamodb-proxy.ts';

export const TableName = 'proxied';

export type ProxiedTable = {
  /** The database's own endpoint, behind the proxy. */
  readonly target: string;
  readonly proxy: DynamoDbProxy;
  /** Goes through the proxy, without retries. */
  readonly client: DynamoDBDocumentClient;
  /** Returns what is stored, bypassing the proxy. */
  readonly stored: (pk: string, sk: string) => Promise<Record<string, unknown> | undefined>;
  readonly close: () => Promise<void>;
};

/** Starts a database with the table, a proxy in front of it, and a client for each. */
export async function startProxiedTable(): Promise<ProxiedTable> {
  const database = await startTable({ port: 0 });
  await createTable(database.url, TableName);
  const proxy = await startDynamoDbProxy({ target: database.url, seed: 7 });
  const client = connect(proxy.endpoint);
  const direct = connect(database.url);

  async function stored(pk: string, sk: string) {
    const Key = { pk, sk };
    const { Item } = await direct.send(new GetCommand({ TableName, Key, ConsistentRead: true }));

    return Item;
  }

  async function close() {
    client.destroy();
    direct.destroy();
    await proxy.close();
    await database.close();
  }

  return { target: database.url, proxy, client, stored, close };
}

/** Creates a client, without retries by default. */
export function connect(endpoint: string, maxAttempts = 1): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    endpoint,
    maxAttempts,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });

  return DynamoDBDocumentClient.from(client);
}
