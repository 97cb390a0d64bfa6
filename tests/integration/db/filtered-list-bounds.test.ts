import { expect, it } from 'vitest';
import {
  countFilteredItems,
  type FilteredList,
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
