import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { documentClient } from '#lib/platform/db/client.ts';
import { createTableInput } from '#scripts/dev/stack/create-table.ts';
import { createStrictTable } from '#tests/support/strict-table.ts';

const TableName = 'strict';
const attempts = 300;

/** Returns the results of the same transactions, one after another. */
async function outcomesOf(seed: number, client = documentClient): Promise<readonly string[]> {
  const { database, performer } = createStrictTable(seed);
  database.perform('CreateTable', createTableInput(TableName));
  const outcomes: string[] = [];
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const Item = { pk: { S: 'p' }, sk: { S: String(attempt) } };
    const TransactItems = [{ Put: { TableName, Item } }];
    const outcome = await Promise.resolve(
      performer.perform('TransactWriteItems', { TransactItems }, client),
    ).then(
      () => 'done',
      ({ name }: Error) => name,
    );
    outcomes.push(outcome);
  }

  return outcomes;
}

test('the strict table fails some calls of the service, and the same calls with the same seed', async () => {
  const outcomes = await outcomesOf(1);

  expect(new Set(outcomes)).toEqual(
    new Set([
      'done',
      'ProvisionedThroughputExceededException',
      'TransactionCanceledException',
      'TransactionInProgressException',
    ]),
  );
  expect(await outcomesOf(1)).toEqual(outcomes);
  expect(await outcomesOf(2)).not.toEqual(outcomes);
});

test("the strict table fails no calls of a test's own client", async () => {
  expect(new Set(await outcomesOf(1, new DynamoDBClient({}) as never))).toEqual(new Set(['done']));
});

test('the strict table leaves parts of batches unprocessed', async () => {
  const { database, performer } = createStrictTable(1);
  database.perform('CreateTable', createTableInput(TableName));
  const requests = ['a', 'b', 'c'].map((pk) => ({
    PutRequest: { Item: { pk: { S: pk }, sk: { S: 's' } } },
  }));
  const left = new Set<number>();
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const { output } = await Promise.resolve(
      performer.perform(
        'BatchWriteItem',
        { RequestItems: { [TableName]: requests } },
        documentClient,
      ),
    ).catch(() => ({ output: {} }));
    const { UnprocessedItems } = output as { UnprocessedItems?: Record<string, unknown[]> };
    left.add(UnprocessedItems?.[TableName]?.length ?? 0);
  }

  expect(left).toEqual(new Set([0, 1, 2]));
});
