// Runs in a separate process: it mocks the DynamoDB client
import { BatchGetCommand, DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { getMany, query } from '#lib/platform/db/read.ts';
import { depth } from '#tests/support/depth.ts';

const table = mockClient(DynamoDBDocumentClient);
const name = 'social-leads-test';

beforeEach(() => table.reset());

describe('getMany', () => {
  it('returns items in key order and reads each key once, with retries of unprocessed keys', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 250 }), { maxLength: 300 }),
        fc.infiniteStream(fc.integer({ min: 0, max: 3 })),
        async (wanted, left) => {
          table.reset();
          let asked = 0;
          table.on(BatchGetCommand).callsFake(({ RequestItems }) => {
            const keys: ReadonlyArray<{ pk: string; sk: string }> = RequestItems[name].Keys;
            expect(keys.length).toBeLessThanOrEqual(100);
            const undone = Math.min(Number(left.next().value), keys.length - 1);
            const done = keys.slice(0, keys.length - undone);
            asked += done.length;

            return {
              Responses: { [name]: done.filter(({ sk }) => Number(sk) % 2 === 0).toReversed() },
              ...(undone ? { UnprocessedKeys: { [name]: { Keys: keys.slice(-undone) } } } : {}),
            };
          });
          const found = await getMany<object>(wanted.map((sk) => ({ pk: 'TEST', sk: String(sk) })));

          expect(found.map((item) => item?.sk)).toEqual(
            wanted.map((sk) => (sk % 2 === 0 ? String(sk) : undefined)),
          );
          expect(asked).toBe(new Set(wanted).size);
        },
      ),
      { numRuns: depth(15) },
    );
  });

  it('makes no call without keys', async () => {
    expect(await getMany([])).toEqual([]);
    expect(table.calls()).toHaveLength(0);
  });
});

describe('query', () => {
  it('continues after empty pages', async () => {
    const LastEvaluatedKey = { pk: 'TEST', sk: 'b' };
    table
      .on(QueryCommand)
      .resolvesOnce({ Items: [{ pk: 'TEST', sk: 'a' }], LastEvaluatedKey })
      .resolvesOnce({ Items: [], LastEvaluatedKey })
      .resolvesOnce({ LastEvaluatedKey })
      .resolvesOnce({ Items: [{ pk: 'TEST', sk: 'c' }] });
    const items = await query({ pk: 'TEST', from: 'a', to: 'z' });

    expect(items.map(({ sk }) => sk)).toEqual(['a', 'c']);
  });

  it('reads only the tenant partition, with strong consistency', async () => {
    table.on(QueryCommand).resolves({});
    await query({ pk: 'ORG#1', from: 'A', to: 'B' });

    expect(table.commandCalls(QueryCommand)[0]?.args[0].input).toMatchObject({
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: { ':pk': 'ORG#1', ':from': 'A', ':to': 'B' },
    });
  });
});
