import { spawnSync } from 'node:child_process';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ConditionalCheckFailedException,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import definition from '#lib/platform/db/table-definition.json' with { type: 'json' };
import { createTable } from '#scripts/dev/stack/create-table.ts';
import { startTable, type TableServer } from '#scripts/dev/table/start-table.ts';
import { startDynamoDbProxy } from '#scripts/dynamodb-proxy/start-dynamodb-proxy.ts';
import { startLater, startWorkersTable, withoutFaults } from '#tests/support/own-table.ts';

const TableName = 'kept';
const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };

function connect(endpoint: string): DynamoDBDocumentClient {
  return DynamoDBDocumentClient.from(
    new DynamoDBClient({ endpoint, region: 'eu-central-1', credentials }),
  );
}

describe('a development table that is stored in a folder', () => {
  let dataDir: string;
  const running: TableServer[] = [];

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'table-'));
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map(({ close }) => close()));
    await rm(dataDir, { recursive: true });
  });

  async function start(): Promise<DynamoDBDocumentClient> {
    const server = await startTable({ port: 0, dataDir });
    running.push(server);
    await createTable(server.url, TableName);

    return connect(server.url);
  }

  async function stop(): Promise<void> {
    await running.pop()?.close();
  }

  async function stored(client: DynamoDBDocumentClient, pk: string) {
    const { Item } = await client.send(new GetCommand({ TableName, Key: { pk, sk: 's' } }));

    return Item;
  }

  const put = (pk: string, more: object = {}) =>
    new PutCommand({ TableName, Item: { pk, sk: 's', ...more } });
  const journal = () => join(dataDir, 'table.jsonl');

  it("has the definition of the service's table", async () => {
    const client = await start();

    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    const { TimeToLiveDescription } = await client.send(
      new DescribeTimeToLiveCommand({ TableName }),
    );

    expect(Table).toMatchObject({
      TableStatus: 'ACTIVE',
      KeySchema: definition.KeySchema,
      GlobalSecondaryIndexes: definition.GlobalSecondaryIndexes,
    });
    expect(TimeToLiveDescription?.AttributeName).toBe('expiresAtSeconds');
  });

  it('keeps its data when it is started again', async () => {
    const client = await start();
    await client.send(put('changed', { duePk: 'DUE', dueAt: '1', text: 'é😀\n' }));
    await client.send(put('gone'));
    await client.send(
      new UpdateCommand({
        TableName,
        Key: { pk: 'changed', sk: 's' },
        UpdateExpression: 'ADD visits :one',
        ExpressionAttributeValues: { ':one': 1 },
      }),
    );
    await client.send(new DeleteCommand({ TableName, Key: { pk: 'gone', sk: 's' } }));
    await stop();

    const again = await start();

    expect(await stored(again, 'changed')).toMatchObject({ visits: 1, text: 'é😀\n' });
    expect(await stored(again, 'gone')).toBeUndefined();
    const due = await again.send(
      new QueryCommand({
        TableName,
        IndexName: 'due',
        KeyConditionExpression: 'duePk = :due',
        ExpressionAttributeValues: { ':due': 'DUE' },
      }),
    );
    expect(due.Items).toHaveLength(1);
    const { TimeToLiveDescription } = await again.send(
      new DescribeTimeToLiveCommand({ TableName }),
    );
    expect(TimeToLiveDescription?.AttributeName).toBe('expiresAtSeconds');
  });

  it('has every confirmed write in the file, so that a terminated process loses nothing', async () => {
    const client = await start();
    await client.send(put('answered'));

    expect(await readFile(journal(), 'utf8')).toContain('"answered"');
  });

  it('ignores an incomplete last line, and continues after it', async () => {
    await (await start()).send(put('complete'));
    await stop();
    await appendFile(journal(), '{"items":[{"table":"kept","put":{"pk":{"S":"torn"');

    const client = await start();
    await client.send(put('next'));
    await stop();

    const again = await start();
    expect(await stored(again, 'complete')).toBeDefined();
    expect(await stored(again, 'torn')).toBeUndefined();
    expect(await stored(again, 'next')).toBeDefined();
  });

  it('does not start with a file that is damaged in the middle', async () => {
    await (await start()).send(put('complete'));
    await stop();
    const [first, ...others] = (await readFile(journal(), 'utf8')).split('\n');
    await writeFile(journal(), [first, '{', ...others].join('\n'));

    await expect(start()).rejects.toThrow(`${journal()} is damaged at line 2.`);
  });

  it('rejects a folder that another table uses, until the other table closes or crashes', async () => {
    await start();
    const inUse = `The data in ${dataDir} is in use by process ${process.pid}.`;
    await expect(start()).rejects.toThrow(inUse);
    await stop();

    const crashed = spawnSync(process.execPath, ['--eval', '']).pid;
    await writeFile(join(dataDir, 'table.lock'), String(crashed));
    await start();
    await stop();

    await writeFile(join(dataDir, 'table.lock'), String(process.ppid));
    await expect(start()).rejects.toThrow(`in use by process ${process.ppid}.`);
  });

  it('shortens the file when it starts', async () => {
    const client = await start();
    for (let write = 0; write < 10; write += 1) {
      await client.send(put('same', { write }));
    }
    await stop();
    const before = (await readFile(journal(), 'utf8')).split('\n').length;

    const again = await start();

    expect((await readFile(journal(), 'utf8')).split('\n')).toHaveLength(before - 9);
    expect(await stored(again, 'same')).toMatchObject({ write: 9 });
  });
});

describe('a call within the process', () => {
  const clients: DynamoDBDocumentClient[] = [];

  afterAll(() => {
    for (const client of clients) {
      client.destroy();
    }
  });

  /** Sends a command in process and over HTTP. Both must have the same result. */
  async function both(command: () => object) {
    const url = await startWorkersTable();
    await createTable(url, tableName);
    const proxy = await startDynamoDbProxy({ target: url });
    onTestFinished(proxy.close);
    const results: unknown[] = [];
    for (const endpoint of [url, proxy.endpoint]) {
      const client = connect(endpoint);
      clients.push(client);
      const result = await startLater(() =>
        withoutFaults(() => client.send(command() as never)),
      ).catch((error: unknown) => error);
      const { $metadata, $response, __type, message, ...fields } = result as Record<
        string,
        unknown
      >;
      results.push({ ...fields, message, class: (result as object).constructor });
    }
    expect(results[0]).toEqual(results[1]);

    return results[0];
  }

  const tableName = 'both';
  const item = {
    pk: 'both',
    sk: 's',
    bytes: new Uint8Array([1, 2, 3]),
    list: [{ more: new Uint8Array([4]) }, null, true, 1.5],
    set: new Set(['a', 'b']),
  };
  const { list, ...storable } = item;
  const own = { TableName: tableName, Item: { ...storable, rows: list, none: undefined } };

  it('returns the same response as a call through HTTP', async () => {
    await both(() => new PutCommand({ ...own, Item: { ...own.Item, none: 1 } }));
    await both(() => new PutCommand({ ...own, Item: { ...storable, rows: list } }));
    const Key = { pk: 'both', sk: 's' };

    expect(await both(() => new GetCommand({ TableName: tableName, Key }))).toMatchObject({
      Item: { ...storable, rows: list },
    });
    await both(() => new BatchGetCommand({ RequestItems: { [tableName]: { Keys: [Key] } } }));
    await both(
      () =>
        new BatchWriteCommand({
          RequestItems: {
            [tableName]: [{ PutRequest: { Item: { ...storable, sk: 'batch', rows: list } } }],
          },
        }),
    );
    await both(
      () =>
        new QueryCommand({
          TableName: tableName,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': 'both' },
          Limit: 1,
        }),
    );
    await both(() => new GetCommand({ TableName: tableName, Key: { pk: 'none', sk: 's' } }));
  });

  it('fails in the same way as a call through HTTP', async () => {
    const isNew = {
      ConditionExpression: 'attribute_not_exists(pk)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    } as const;
    const Put = { TableName: tableName, Item: { ...storable, rows: list }, ...isNew };
    await both(() => new PutCommand({ TableName: tableName, Item: Put.Item }));

    expect(await both(() => new PutCommand(Put))).toMatchObject({
      class: ConditionalCheckFailedException,
      Item: { bytes: { B: item.bytes } },
    });
    expect(await both(() => new TransactWriteCommand({ TransactItems: [{ Put }] }))).toMatchObject({
      class: TransactionCanceledException,
      CancellationReasons: [{ Code: 'ConditionalCheckFailed', Item: { bytes: { B: item.bytes } } }],
    });
    expect(
      await both(() => new GetCommand({ TableName: tableName, Key: { pk: 'both' } })),
    ).toMatchObject({ name: 'ValidationException' });
    expect(
      await both(() => new GetCommand({ TableName: 'missing', Key: { pk: 'p', sk: 's' } })),
    ).toMatchObject({ name: 'ResourceNotFoundException' });
  });
});
