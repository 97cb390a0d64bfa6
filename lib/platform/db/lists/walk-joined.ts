import type { Key } from '#lib/platform/db/keys/key.ts';
import { getMany } from '#lib/platform/db/read.ts';
import type { IdRange, IndexRow } from './sharded-list.ts';

/** Yields the rows of a range, newest first. `pageSize` is the expected number of rows. */
export type OpenRows = (
  pageSize: number,
  range: IdRange,
) => AsyncGenerator<IndexRow, void, undefined>;

export type RecordCheck = (record: Readonly<Record<string, unknown>>) => boolean;

/** The lists and conditions that a row must match. There is at least one list. */
export type JoinedLists = {
  readonly lists: readonly OpenRows[];
  /** Conditions that are checked on the records of the rows that are in all lists. */
  readonly checks: readonly RecordCheck[];
  readonly keyOf: (id: string) => Key;
};

/** The number of rows that may still be read. Several walks can share one budget. */
export type RowBudget = { left: number };

export type Walked = {
  readonly rows: readonly IndexRow[];
  /** The last id that was compared, if the walk ended because the budget was spent. */
  readonly stoppedAt?: string;
};

/**
 * The cost of a record in index rows. One read unit reads 8 KB: about 30 index rows of 250 bytes,
 * or one record.
 */
export const rowsPerRecord = 30;
const maxPage = 1_000;
const maxRecords = 200;
/** A longer gap in a list is skipped with a new query. */
const maxGap = 100;

type Walk = { readonly wanted: number; readonly range: IdRange; readonly budget: RowBudget };

/**
 * Returns the rows that are in all lists and pass all checks, newest first. Stops when it has found
 * enough or the budget is spent. Reads each list only where the other lists have rows.
 */
export async function walkJoined(
  joined: JoinedLists,
  { wanted, range, budget }: Walk,
): Promise<Walked> {
  const pageSize = Math.min(maxPage, wanted);
  const readers = joined.lists.map((open) =>
    openReader((part) => open(pageSize, part), range, budget),
  );
  const found = collect(joined, wanted, budget);
  let heads = await Promise.all(readers.map(({ next }) => next()));
  let position: string | undefined;
  while (!found.isFull()) {
    const known = heads.filter((head) => head !== undefined);
    const ids = known.map(({ id }) => id).toSorted();
    const [first] = known;
    const [lowest] = ids;
    if (known.length < heads.length || !first || lowest === undefined) {
      break;
    }
    if (position !== undefined && budget.left <= 0) {
      return { rows: await found.finish(), stoppedAt: position };
    }
    position = ids.at(-1);
    if (position === lowest) {
      await found.add(first);
      heads = await Promise.all(readers.map(({ next }) => next()));
    } else {
      heads = await Promise.all(
        readers.map(({ seek }, index) =>
          heads[index]?.id === lowest ? heads[index] : seek(lowest),
        ),
      );
    }
  }

  return { rows: await found.finish() };
}

type Reader = {
  readonly next: () => Promise<IndexRow | undefined>;
  /** Returns the first row whose id is at most the given one. */
  readonly seek: (id: string) => Promise<IndexRow | undefined>;
};

function openReader(
  open: (range: IdRange) => AsyncGenerator<IndexRow, void, undefined>,
  range: IdRange,
  budget: RowBudget,
): Reader {
  let rows = open(range);
  const next = async () => {
    budget.left -= 1;
    const { value } = await rows.next();

    return value ?? undefined;
  };
  const seek = async (id: string) => {
    for (let passed = 0; passed < maxGap; passed += 1) {
      const row = await next();
      if (!row || row.id <= id) {
        return row;
      }
    }
    // Ids have the same length, so this one sorts directly after `id`.
    rows = open({ ...range, before: `${id}0` });

    return next();
  };

  return { next, seek };
}

/**
 * Collects rows. Reads their records in batches. The batch size depends on the share that has
 * passed so far, and on the budget.
 */
function collect({ checks, keyOf }: JoinedLists, wanted: number, budget: RowBudget) {
  const found: IndexRow[] = [];
  let batch: IndexRow[] = [];
  const minRecords = Math.min(maxRecords, wanted);
  let batchSize = minRecords;
  let compared = 0;

  async function flush(): Promise<void> {
    const rows = batch;
    batch = [];
    budget.left -= rows.length * rowsPerRecord;
    const records = await getMany<Record<string, unknown>>(rows.map(({ id }) => keyOf(id)));
    found.push(
      ...rows.filter((_, index) => {
        const record = records[index];

        return record !== undefined && checks.every((check) => check(record));
      }),
    );
    compared += rows.length;
    const rowsForEach = compared / Math.max(1, found.length);
    const expected = Math.ceil((wanted - found.length) * rowsForEach);
    batchSize = Math.min(maxRecords, Math.max(minRecords, expected));
  }

  async function add(row: IndexRow): Promise<void> {
    if (checks.length === 0) {
      found.push(row);
      return;
    }
    batch.push(row);
    const isBudgetSpent = (batch.length + 1) * rowsPerRecord > budget.left;
    if (batch.length >= batchSize || isBudgetSpent) {
      await flush();
    }
  }

  async function finish(): Promise<readonly IndexRow[]> {
    if (batch.length > 0) {
      await flush();
    }

    return found;
  }

  return { add, finish, isFull: () => found.length >= wanted };
}
