import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  ListTablesCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import definition from '#lib/platform/db/table-definition.json' with { type: 'json' };
import { createTable } from '#scripts/dev/stack/create-table.ts';
import { type DynamoDbLocal, startDynamoDbLocal } from '#scripts/dev/stack/dynamodb-local.ts';

const owner = {
  region: 'eu-central-1',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
};

function clientOf(endpoint: string): DynamoDBClient {
  return new DynamoDBClient({ ...owner, endpoint });
}

async function isAnswering(port: number): Promise<boolean> {
  try {
    await fetch(`http://127.0.0.1:${port}`);

    return true;
  } catch {
    return false;
  }
}

describe('a running database', () => {
  let database: DynamoDbLocal;

  beforeAll(async () => {
    database = await startDynamoDbLocal({ port: 0 });
  });
  afterAll(async () => {
    await database.close();
  });

  test('has the defined table with its indexes and TTL attribute', async () => {
    await createTable(database.endpoint, 'defined-once');
    const client = clientOf(database.endpoint);

    const { Table } = await client.send(new DescribeTableCommand({ TableName: 'defined-once' }));
    const { TimeToLiveDescription } = await client.send(
      new DescribeTimeToLiveCommand({ TableName: 'defined-once' }),
    );

    expect(Table?.KeySchema?.map((key) => key.AttributeName)).toEqual(['pk', 'sk']);
    expect(Table?.GlobalSecondaryIndexes?.map((index) => index.IndexName).sort()).toEqual(
      definition.GlobalSecondaryIndexes.map((index) => index.IndexName).sort(),
    );
    expect(TimeToLiveDescription?.AttributeName).toBe('expiresAtSeconds');
  });

  test('keeps an existing table when it is created again', async () => {
    await createTable(database.endpoint, 'created-twice');

    await expect(createTable(database.endpoint, 'created-twice')).resolves.toBeUndefined();
  });

  test('makes a second database on its port fail with one line of instructions', async () => {
    await expect(startDynamoDbLocal({ port: database.port })).rejects.toThrow(
      `Port ${database.port} is in use. Free it, or set DYNAMODB_PORT to another port.`,
    );
  });
});

describe('a busy database', () => {
  let database: DynamoDbLocal;

  beforeAll(async () => {
    database = await startDynamoDbLocal({ port: 0, isBusy: true });
  });
  afterAll(() => database.close());

  async function indexesOf(TableName: string): Promise<readonly (string | undefined)[]> {
    const { Table } = await clientOf(database.endpoint).send(
      new DescribeTableCommand({ TableName }),
    );

    return Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName) ?? [];
  }

  test("remembers a table's definition and does not confuse it with another", async () => {
    const client = clientOf(database.endpoint);
    const key = { AttributeName: 'pk', AttributeType: 'S' } as const;
    await createTable(database.endpoint, 'first', owner);
    await client.send(
      new CreateTableCommand({
        TableName: 'plain',
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [key],
        KeySchema: [{ AttributeName: key.AttributeName, KeyType: 'HASH' }],
      }),
    );
    const ofDefinition = definition.GlobalSecondaryIndexes.map(({ IndexName }) => IndexName);

    for (const _ of ['read', 'remembered']) {
      expect((await indexesOf('first')).toSorted()).toEqual(ofDefinition.toSorted());
      expect(await indexesOf('plain')).toEqual([]);
    }
  });

  test('notices a changed definition', async () => {
    const client = clientOf(database.endpoint);
    const timeToLiveOf = async (TableName: string) =>
      (await client.send(new DescribeTimeToLiveCommand({ TableName }))).TimeToLiveDescription
        ?.AttributeName;
    await createTable(database.endpoint, 'changed', owner);
    expect(await timeToLiveOf('changed')).toBe('expiresAtSeconds');
    await client.send(
      new UpdateTimeToLiveCommand({
        TableName: 'changed',
        TimeToLiveSpecification: { AttributeName: 'expiresAtSeconds', Enabled: false },
      }),
    );

    expect(await timeToLiveOf('changed')).toBeUndefined();
    // The next table has the original definition again.
    await createTable(database.endpoint, 'afterwards', owner);
    expect(await timeToLiveOf('afterwards')).toBe('expiresAtSeconds');
  });
});

test('keeps data in a folder across restarts, and stops completely when closed', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'dynamodb-data-'));
  const first = await startDynamoDbLocal({ port: 0, dataDir });
  await createTable(first.endpoint, 'kept');
  await first.close();
  expect(await isAnswering(first.port)).toBe(false);

  const second = await startDynamoDbLocal({ port: 0, dataDir });
  const { TableNames } = await clientOf(second.endpoint).send(new ListTablesCommand({}));
  await second.close();
  await rm(dataDir, { recursive: true });

  expect(TableNames).toEqual(['kept']);
});

test('stops when its owner process is killed', async () => {
  const owner = spawn(
    process.execPath,
    [fileURLToPath(new URL('./owner-process.ts', import.meta.url))],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const port = await printedPort(owner);
  expect(await isAnswering(port)).toBe(true);

  owner.kill('SIGKILL');
  await once(owner, 'exit');

  await vi.waitFor(async () => expect(await isAnswering(port)).toBe(false), {
    timeout: 5_000,
  });
});

async function printedPort(owner: ChildProcess): Promise<number> {
  owner.stdout?.setEncoding('utf8');
  const [line] = await once(owner.stdout ?? owner, 'data');

  return Number(line);
}
