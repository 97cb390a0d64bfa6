import { describe, expect, test } from 'vitest';
import type { Item } from '#scripts/dev/table/attribute-value.ts';
import { indexWriteUnits, readUnits, writeUnits } from '#scripts/dev/table/capacity.ts';
import { type TableSchema, toTableSchema } from '#scripts/dev/table/table-schema.ts';

describe('readUnits and writeUnits', () => {
  test.each([
    [0, 'eventual', 0.5],
    [4_096, 'eventual', 0.5],
    [4_097, 'eventual', 1],
    [4_097, 'strong', 2],
    [4_097, 'transactional', 4],
  ] as const)(
    'reading %i bytes with %s consistency costs %d units',
    (bytes, consistency, units) => {
      expect(readUnits(bytes, consistency)).toBe(units);
    },
  );

  test.each([
    [0, 1],
    [1_024, 1],
    [1_025, 2],
  ])('writing %i bytes costs %i units', (bytes, units) => {
    expect(writeUnits(bytes)).toBe(units);
  });
});

describe('indexWriteUnits', () => {
  const keys = (...names: readonly string[]) =>
    names.map((AttributeName, index) => ({
      AttributeName,
      KeyType: index === 0 ? 'HASH' : 'RANGE',
    }));
  const tableWith = (index: string, keyNames: readonly string[], ProjectionType: string) =>
    toTableSchema({
      KeySchema: keys('pk', 'sk'),
      GlobalSecondaryIndexes: [
        { IndexName: index, KeySchema: keys(...keyNames), Projection: { ProjectionType } },
      ],
    });
  const schema: TableSchema = tableWith('due', ['duePk', 'dueAt'], 'KEYS_ONLY');
  const wide: TableSchema = tableWith('all', ['duePk'], 'ALL');
  const text = (length: number) => ({ S: 'x'.repeat(length) });
  const plain: Item = { pk: { S: 'p' }, sk: { S: 's' } };
  const due: Item = { ...plain, duePk: { S: 'd' }, dueAt: { S: '2030' } };

  test.each<[string, Item | undefined, Item | undefined, number]>([
    ['an item that lacks the keys', undefined, plain, 0],
    ['an item that has one key of two', undefined, { ...plain, duePk: { S: 'd' } }, 0],
    ['a new entry', undefined, due, 1],
    ['a removed entry', due, undefined, 1],
    ['an entry that lost its key', due, plain, 1],
    ['an entry that stays', due, due, 0],
    ['a change outside the projection', due, { ...due, name: text(5_000) }, 0],
    ['a moved entry', due, { ...due, dueAt: { S: '2031' } }, 2],
  ])('returns the units for %s', (_name, before, after, units) => {
    expect(indexWriteUnits(schema, before, after)).toBe(units);
  });

  test('charges the larger image of an entry that changes in place', () => {
    const large = { ...due, name: text(3_000) };

    expect(indexWriteUnits(wide, large, due)).toBe(3);
  });

  test('charges both images of a moved entry, each rounded separately', () => {
    const large = { ...due, name: text(1_500) };

    expect(indexWriteUnits(wide, large, { ...large, duePk: { S: 'e' } })).toBe(4);
  });
});
