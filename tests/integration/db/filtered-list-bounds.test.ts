import { expect, it } from 'vitest';
import {
  countFilteredItems,
  type FieldList,
  type FilteredList,
  listFiltered,
  type RecordCondition,
} from '#lib/platform/db/lists/filtered-list.ts';
import type { IndexRow } from '#lib/platform/db/lists/sharded-list.ts';
import { rowsPerRecord, walkJoined } from '#lib/platform/db/lists/walk-joined.ts';
import { firstIdAt } from '#lib/platform/ids.ts';
import { storeItems } from '#tests/support/table.ts';

const keyOf = (id: string) => ({ pk: `THING#${id}`, sk: 'THING' });

/** Stores items, and returns their rows, newest first. */
async function storedRows(count: number): Promise<readonly IndexRow[]> {
  const ids = Array.from({ length: count }, (_, index) => firstIdAt(count - index));
  await storeItems(ids.map(keyOf));

  return ids.map((id) => ({ ...keyOf(id), id }));
}

it.each([0, 1, 10, 50])(
  'a page compares at most %i records if it has no budget for more',
  async (most) => {
    const rows = await storedRows(100);
    const records: unknown[] = [];
    const joined = {
      lists: [
        async function* open() {
          yield* rows;
        },
      ],
      checks: [(record: unknown) => records.push(record) < 0],
      keyOf,
    };
    const budget = { left: most * rowsPerRecord };
    const walked = await walkJoined(joined, { wanted: 5, range: {}, budget });

    expect(walked.rows).toEqual([]);
    expect(walked.stoppedAt).toBeDefined();
    expect(records.length).toBeLessThanOrEqual(Math.max(1, most));
    expect(records.length).toBeGreaterThanOrEqual(most / 2);
  },
);

/** Returns a list whose items have one color and one size, and counts the rows that it reads. */
function listOf(ids: Readonly<Record<'color' | 'size', readonly number[]>>) {
  const read = { rows: 0 };
  const fieldOf = (numbers: readonly number[]): FieldList => ({
    rows: () =>
      async function* open(_pageSize, { before }) {
        for (const id of numbers.map(firstIdAt).toReversed()) {
          if (before === undefined || id < before) {
            read.rows += 1;
            yield { ...keyOf(id), id };
          }
        }
      },
    matches: () => true,
  });
  const list: FilteredList<'color' | 'size'> = {
    organizationId: 'o',
    kind: 'lead',
    fields: { color: fieldOf(ids.color), size: fieldOf(ids.size) },
    count: async (filter) => ids[filter?.field ?? 'color'].length,
    keyOf,
  };

  return { list, read };
}

const numbersFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => first + index);

it.each([
  ['2,000 rows are read for an exact total', numbersFrom(1, 1_000), 10, 2_000, 1_000],
  ['more rows are not, and the page has no total', numbersFrom(1, 1_001), 10, 40, null],
  [
    'more rows have an exact total if the page has all matches',
    numbersFrom(997, 1_001),
    5,
    2_002,
    5,
  ],
])('of two filters, %s', async (_, size, items, mostRows, total) => {
  const { list, read } = listOf({ color: numbersFrom(1, size.length), size });
  const filters = [
    { field: 'color', value: 'red' },
    { field: 'size', value: 'L' },
  ] as const;
  const page = await listFiltered(list, { filters }, { limit: 10 });

  expect([page.items.length, page.pagination.total]).toEqual([items, total]);
  expect(read.rows).toBeLessThanOrEqual(mostRows);
});

it('a count pays for the rows of a condition that it cannot use', async () => {
  const rows = await storedRows(20);
  const list: FilteredList<'color'> = {
    organizationId: 'o',
    kind: 'lead',
    fields: {
      color: {
        rows: () =>
          async function* open() {
            yield* rows;
          },
        matches: () => true,
      },
    },
    count: async () => rows.length,
    keyOf,
  };
  const condition: RecordCondition = {
    matches: () => true,
    find: async (most) => ({
      rows: Array.from({ length: most }, (_, index) => ({ ...keyOf(''), id: firstIdAt(index) })),
      areAll: false,
    }),
  };
  const budget = { left: 10_000 };
  const filters = [{ field: 'color', value: 'red' }] as const;

  expect(await countFilteredItems(list, { filters, condition }, budget)).toEqual({
    count: 20,
    isCountExact: true,
  });
  expect(budget.left).toBeLessThanOrEqual(10_000 / 2 - 20 * rowsPerRecord);
});
