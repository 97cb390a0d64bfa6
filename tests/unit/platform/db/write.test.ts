// Runs in a separate process: it mocks the DynamoDB client
import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { change, create, remove, write } from '#lib/platform/db/write.ts';
import { overtaken } from '#lib/platform/errors/failures.ts';
import { depth } from '#tests/support/depth.ts';

/** The number of failed tries before each delay. The mock never waits. */
const failedTries = vi.hoisted((): number[] => []);
vi.mock('#lib/platform/db/backoff.ts', () => ({
  fullJitterMs: () => 0,
  backoffMs: (tries: number) => {
    failedTries.push(tries);

    return 0;
  },
}));

const table = mockClient(DynamoDBDocumentClient);
const key = { pk: 'TEST#1', sk: 'ITEM' };
const other = { pk: 'TEST#2', sk: 'ITEM' };
const refused = () => overtaken('There is one already');

beforeEach(() => {
  table.reset();
  failedTries.length = 0;
});

function cancelled(...codes: readonly string[]) {
  return new TransactionCanceledException({
    message: 'cancelled',
    $metadata: {},
    CancellationReasons: codes.map((Code) => ({ Code })),
  });
}

function tokens(): readonly unknown[] {
  return table
    .commandCalls(TransactWriteCommand)
    .map(({ args: [command] }) => command.input.ClientRequestToken);
}

describe('write with several items', () => {
  it('retries a transaction up to eight times while 30% of the attempts conflict', async () => {
    const conflicts = new Map<unknown, number>();
    table.on(TransactWriteCommand).callsFake(({ ClientRequestToken: token }) => {
      const met = conflicts.get(token) ?? 0;
      if (met < 7 && Math.random() < 0.3) {
        conflicts.set(token, met + 1);
        throw cancelled('None', 'TransactionConflict');
      }

      return {};
    });
    const total = depth(300);
    const outcomes = await Promise.allSettled(
      Array.from({ length: total }, () => write(create(key, {}), create(other, {}))),
    );

    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
    const tries = Map.groupBy(tokens(), (token) => token);
    expect(tries.size).toBe(total);
    expect(Math.max(...[...tries.values()].map(({ length }) => length))).toBeLessThanOrEqual(8);
  });

  it('uses one token for all attempts and a unique token per transaction', async () => {
    table
      .on(TransactWriteCommand)
      .rejectsOnce(cancelled('TransactionConflict'))
      .rejectsOnce(cancelled('ThrottlingError'))
      .resolves({});
    await write(create(key, {}), create(other, {}));
    await write(create(key, {}), create(other, {}));

    const [first, second, third, last] = tokens();
    expect([second, third]).toEqual([first, first]);
    expect(last).not.toBe(first);
  });

  it.each(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])(
    'returns 503 after eight attempts and at most three seconds of delay: %s',
    async (code) => {
      table.on(TransactWriteCommand).rejects(cancelled(code));

      await expect(write(create(key, {}), create(other, {}))).rejects.toMatchObject({
        statusCode: 503,
        headers: { 'retry-after': '1' },
      });
      expect(tokens()).toHaveLength(8);
      expect(failedTries).toEqual([1, 2, 3, 4, 5, 6, 7]);
    },
  );

  it.each([
    [['ConditionalCheckFailed', 'None']],
    [['ConditionalCheckFailed', 'TransactionConflict']],
    [['ConditionalCheckFailed', 'ProvisionedThroughputExceeded']],
  ])('does not retry when a condition fails: %s', async (codes) => {
    table.on(TransactWriteCommand).rejects(cancelled(...codes));

    await expect(write(create(key, {}, refused), create(other, {}))).rejects.toMatchObject({
      statusCode: 409,
    });
    expect(tokens()).toHaveLength(1);
  });

  it('does not retry permanent errors', async () => {
    table.on(TransactWriteCommand).rejects(cancelled('ValidationError', 'None'));

    await expect(write(create(key, {}), create(other, {}))).rejects.toThrow('cancelled');
    expect(tokens()).toHaveLength(1);
  });
});

describe('write with a single item', () => {
  it('retries when it conflicts with a transaction', async () => {
    const met = new TransactionConflictException({ message: 'met', $metadata: {} });
    table
      .on(UpdateCommand)
      .rejectsOnce(met)
      .rejectsOnce(met)
      .resolves({ Attributes: { ...key } });

    expect(await write(change(key, { set: { name: 'x' } }))).toEqual(key);
    expect(table.commandCalls(UpdateCommand)).toHaveLength(3);
  });

  it('rejects after one attempt when the item exists', async () => {
    const taken = new ConditionalCheckFailedException({
      message: 'taken',
      $metadata: { attempts: 1 },
    });
    table.on(PutCommand).rejects(taken);

    await expect(write(create(key, {}, refused))).rejects.toMatchObject({ statusCode: 409 });
    expect(table.commandCalls(PutCommand)).toHaveLength(1);
  });

  it('rejects after two attempts when another write created the item', async () => {
    const taken = new ConditionalCheckFailedException({
      message: 'taken',
      $metadata: { attempts: 2 },
      Item: { ...{ pk: { S: key.pk }, sk: { S: key.sk } }, writeId: { S: 'another' } },
    });
    table.on(PutCommand).rejects(taken);

    await expect(write(create(key, {}, refused))).rejects.toMatchObject({ statusCode: 409 });
  });

  it('succeeds after two attempts when the first one created the item', async () => {
    table.on(PutCommand).callsFake(({ Item }) => {
      throw new ConditionalCheckFailedException({
        message: 'taken',
        $metadata: { attempts: 2 },
        Item: { pk: { S: key.pk }, sk: { S: key.sk }, writeId: { S: Item.writeId } },
      });
    });

    await expect(write(create(key, {}, refused))).resolves.toMatchObject(key);
  });
});

describe('DynamoDB requests', () => {
  it('sends a Put for create, with a condition that no unexpired item exists', async () => {
    table.on(PutCommand).resolves({});
    await write(create(key, { name: 'x', empty: null }));

    expect(table.commandCalls(PutCommand)[0]?.args[0].input).toMatchObject({
      TableName: 'social-leads-test',
      Item: { ...key, name: 'x' },
      ConditionExpression: '(attribute_not_exists(#n0) OR #n1 < :v0)',
      ExpressionAttributeNames: { '#n0': 'pk', '#n1': 'expiresAtSeconds' },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
  });

  it('sends an Update of an existing item for change, with SET, REMOVE, and ADD', async () => {
    table.on(UpdateCommand).resolves({});
    await write(
      change(key, { set: { name: 'x', nickname: null, kept: undefined }, add: { used: 1 } }),
    );
    const input = table.commandCalls(UpdateCommand)[0]?.args[0].input;

    expect(input?.Key).toEqual(key);
    const named = (expression = '') =>
      expression.replaceAll(/#n\d/g, (name) => input?.ExpressionAttributeNames?.[name] ?? name);
    expect(named(input?.UpdateExpression)).toMatch(
      /^SET writeId = :v\d, name = :v\d REMOVE nickname ADD used :v\d$/,
    );
    expect(named(input?.ConditionExpression)).toMatch(/^attribute_exists\(pk\) AND \(/);
  });

  it('sends several writes as one transaction, in order', async () => {
    table.on(TransactWriteCommand).resolves({});
    await write(create(key, {}), change(other, { set: { a: 1 } }), remove(key));
    const items = table.commandCalls(TransactWriteCommand)[0]?.args[0].input.TransactItems ?? [];

    expect(items.map((item) => Object.keys(item)[0])).toEqual(['Put', 'Update', 'Delete']);
  });
});
