import { DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { get, getMany, query } from '#lib/platform/db/read.ts';
import { readAhead, withReadAhead } from '#lib/platform/db/read-ahead.ts';
import { change, create, write } from '#lib/platform/db/write.ts';

const table = mockClient(DynamoDBDocumentClient);
const lead = { pk: 'ORG#1#LEAD#1', sk: 'LEAD' };
const other = { pk: 'ORG#2#LEAD#1', sk: 'LEAD' };
const range = { pk: lead.pk, from: 'ACTIVITY#', to: 'LEAD' };

beforeEach(() => {
  table.reset();
  table.onAnyCommand().resolves({});
  let reads = 0;
  table.on(GetCommand).callsFake(({ Key }) => {
    reads += 1;

    return { Item: { ...Key, read: reads } };
  });
});

describe('readAhead', () => {
  it('serves only the first read of the same item', async () => {
    await withReadAhead(async () => {
      await readAhead(() => get(lead));

      expect(await get(other)).toMatchObject({ ...other, read: 2 });
      expect(await getMany([lead])).toMatchObject([{ read: 1 }]);
      expect(await get(lead)).toMatchObject({ read: 3 });
    });
  });

  it('serves only the same query', async () => {
    await withReadAhead(async () => {
      await readAhead(() => query(range, { limit: 2 }));
      await query(range, { limit: 3 });
      await query(range, { limit: 2 });

      expect(table.commandCalls(QueryCommand)).toHaveLength(2);
    });
  });

  it.each([
    ['the item', () => readAhead(() => get(lead)), () => get(lead), GetCommand],
    ['a range around it', () => readAhead(() => query(range)), () => query(range), QueryCommand],
  ])('repeats the read after a write to %s', async (_, ahead, read, command) => {
    await withReadAhead(async () => {
      await ahead();
      await write(change(lead, { set: { status: 'LOST' } }), create(other, {}));
      await read();

      expect(table.commandCalls(command as typeof GetCommand)).toHaveLength(2);
    });
  });

  it('does not serve other requests or reads that start after a write', async () => {
    await withReadAhead(async () => {
      await readAhead(() => get(lead));
      await withReadAhead(async () => expect(await get(lead)).toMatchObject({ read: 2 }));
    });
    await withReadAhead(async () => {
      await write(change(lead, { set: { status: 'LOST' } }));
      await readAhead(() => get(lead));

      expect(await get(lead)).toMatchObject({ read: 4 });
    });
  });

  it('passes its error only to the read that uses it', async () => {
    table.on(GetCommand).rejectsOnce(new Error('lost')).resolves({});
    await withReadAhead(async () => {
      await readAhead(() => get(lead));
      await expect(get(lead)).rejects.toThrow('lost');

      expect(await get(lead)).toBeUndefined();
    });
  });
});
