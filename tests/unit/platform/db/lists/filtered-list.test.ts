import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countFilteredItems,
  type FieldList,
  type FilteredList,
  listFiltered,
} from '#lib/platform/db/lists/filtered-list.ts';
import type { IndexRow } from '#lib/platform/db/lists/sharded-list.ts';
import { firstIdAt } from '#lib/platform/ids.ts';

type Field = 'one' | 'two' | 'three';

/** Ids by their number. A higher one is newer. */
const idOf = (number: number) => firstIdAt(number);
const numberOf = ({ id }: { readonly id: string }) =>
  Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

/** In-memory lists, and the number of rows that were read from them. */
function listsOf(
  numbers: Readonly<Record<Field, readonly number[]>>,
  counted: (field: Field) => number,
) {
  const read = { rows: 0 };
  const fieldOf = (field: Field): FieldList => {
    const sorted = numbers[field].toSorted((one, other) => other - one).map(idOf);

    return {
      rows: () =>
        async function* rows(_pageSize, { before = 'g', from = '0' }) {
          for (const id of sorted) {
            if (id < before && id >= from) {
              read.rows += 1;
              yield { pk: '', sk: '', id } as IndexRow;
            }
          }
        },
      matches: () => true,
    };
  };
  const list: FilteredList<Field> = {
    organizationId: 'o',
    kind: 'lead',
    fields: { one: fieldOf('one'), two: fieldOf('two'), three: fieldOf('three') },
    count: async (filter) => (filter ? counted(filter.field) : 0),
    keyOf: (id) => ({ pk: id, sk: id }),
  };

  return { list, read };
}

const wanted = (['one', 'two', 'three'] as const).map((field) => ({ field, value: 'x' }));
const many = () => 1_000_000;

async function allPages(list: FilteredList<Field>, limit: number, ids = {}) {
  const found: number[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const { items, pagination } = await listFiltered(
      list,
      { filters: wanted, ids },
      { limit, cursor },
    );
    found.push(...items.map(numberOf));
    cursor = pagination.nextCursor ?? undefined;
    expect(pagination.hasMore).toBe(cursor !== undefined);
    pages += 1;
  } while (cursor);

  return { found, pages };
}

const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 50 });

describe('a list with several filters', () => {
  it('has the items that are in the lists of all filters, once each, on all pages', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ one: numbers, two: numbers, three: numbers }),
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 0, max: 61 }),
        fc.integer({ min: 0, max: 61 }),
        fc.boolean(),
        async (lists, limit, from, before, isLarge) => {
          const expected = lists.one
            .filter((number) => lists.two.includes(number) && lists.three.includes(number))
            .filter((number) => number >= from && number < before)
            .toSorted((a, b) => b - a);
          const { list } = listsOf(lists, isLarge ? many : (field) => lists[field].length);
          const ids = { from: idOf(from), before: idOf(before) };
          expect((await allPages(list, limit, ids)).found).toEqual(expected);
          const counting = { filters: wanted, ids };
          expect(await countFilteredItems(list, counting, { left: 1_000 })).toEqual({
            count: expected.length,
            isCountExact: true,
          });
        },
      ),
    );
  });

  it('reads few rows of long lists that rarely have matching rows', async () => {
    const long = Array.from({ length: 50_000 }, (_, index) => index + 1);
    const { list, read } = listsOf({ one: [1, 25_000, 49_999], two: long, three: long }, many);
    const { found, pages } = await allPages(list, 20);
    expect([found, pages]).toEqual([[49_999, 25_000, 1], 1]);
    expect(read.rows).toBeLessThan(1_000);
  });

  it('returns bounded pages with cursors if too few rows match', async () => {
    const even = Array.from({ length: 50_000 }, (_, index) => 2 * index + 2);
    const odd = even.map((number) => number - 1);
    const { list, read } = listsOf(
      { one: [...even, 3], two: [...odd, 99_998], three: [...even, ...odd] },
      many,
    );
    const request = { limit: 20, cursor: undefined };
    const first = await listFiltered(list, { filters: wanted }, request);
    expect(read.rows).toBeLessThan(17_000);
    expect(first.pagination).toMatchObject({ total: null, hasMore: true });
    expect((await allPages(list, 20)).found).toEqual([99_998, 3]);
    await expect(listFiltered(list, { filters: wanted }, { page: 2, limit: 20 })).rejects.toThrow(
      'page is too high for these filters',
    );
    expect(await countFilteredItems(list, { filters: wanted }, { left: 5_000 })).toEqual({
      count: 1,
      isCountExact: false,
    });
  });
});
