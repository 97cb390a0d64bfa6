import type { Key } from '#lib/platform/db/keys/key.ts';
import { badRequest } from '#lib/platform/errors/failures.ts';
import type { PageRequest } from './cursor.ts';
import {
  type FoundRows,
  type IdRange,
  type IndexRow,
  type ListIndex,
  listMergedPage,
  type PageOfRows,
  pageOf,
  pickPage,
  rowsOf,
  startOf,
  type WholeList,
} from './sharded-list.ts';
import {
  type JoinedLists,
  type OpenRows,
  type RecordCheck,
  type RowBudget,
  rowsPerRecord,
  walkJoined,
} from './walk-joined.ts';

export type Filter<Field extends string> = { readonly field: Field; readonly value: string };

/** The items of a list by the values of one field. */
export type FieldList = {
  /** The items with a value, newest first. */
  readonly rows: (value: string) => OpenRows;
  readonly matches: (record: Readonly<Record<string, unknown>>, value: string) => boolean;
};

export function indexedField(list: WholeList, index: ListIndex): FieldList {
  return {
    rows: (value) => (pageSize, range) =>
      rowsOf({ ...list, by: { index, value } }, pageSize, range),
    matches: (record, value) => record[index.attribute] === value,
  };
}

/** A list with one index for all items and a list for each filter. */
export type FilteredList<Field extends string> = WholeList & {
  readonly fields: Readonly<Record<Field, FieldList>>;
  /** Returns the number of all items or of those that match a filter, from counters. */
  readonly count: (filter?: Filter<Field>) => Promise<number>;
  readonly keyOf: (id: string) => Key;
};

/** A condition on records, for which there is no list that is sorted by id. */
export type RecordCondition = {
  readonly matches: RecordCheck;
  /** Returns matching rows in any order. Stops reading after about `most` rows. */
  readonly find: (most: number) => Promise<FoundRows>;
};

/** What items must match. */
export type ListFilters<Field extends string> = {
  readonly filters: ReadonlyArray<Filter<Field>>;
  readonly ids?: IdRange | undefined;
  readonly condition?: RecordCondition | undefined;
};

/**
 * If this many rows contain all matches, `total` is exact. Reading them costs 62 read units (half a
 * megabyte).
 */
const countedRows = 2_000;
/** The rows that a page reads at most, including the records of its items: 500 read units. */
const rowsPerPage = 15_000;
/** With more rows than this, a condition is checked by reading the records instead. */
const fewRows = 1_000;

/**
 * Returns one page of the items that match all filters, newest first. With at most one filter, a
 * page by cursor costs as much as its items. With several filters, it walks the lists of all
 * filters until the page is full. If too many rows do not match, the page is short and has a
 * cursor. `total` is null if counting would read too many rows.
 *
 * @throws 400 for a page by number that would read more rows than one request may.
 */
export async function listFiltered<Field extends string>(
  list: FilteredList<Field>,
  wanted: ListFilters<Field>,
  request: PageRequest,
): Promise<PageOfRows<IndexRow>> {
  const single = singleListOf(list, wanted);
  if (single) {
    const { open, filter } = single;

    return listMergedPage(
      (pageSize, before) => open(pageSize, { before }),
      request,
      list.count(filter),
    );
  }
  const { joined, cost } = await planJoin(list, wanted, fewRows);
  if (cost <= countedRows) {
    const budget = { left: Number.POSITIVE_INFINITY };
    const all = { wanted: Number.POSITIVE_INFINITY, range: wanted.ids ?? {}, budget };

    return pickPage((await walkJoined(joined, all)).rows, request);
  }

  return walkPage(joined, wanted.ids ?? {}, request);
}

/** Returns the list of all items or of the only filter. Undefined if several filters apply. */
function singleListOf<Field extends string>(
  { organizationId, kind, fields }: FilteredList<Field>,
  { filters, ids, condition }: ListFilters<Field>,
) {
  const [filter, ...others] = filters;
  if (ids || condition || others.length > 0) {
    return undefined;
  }
  const open: OpenRows = filter
    ? fields[filter.field].rows(filter.value)
    : rowsOfAll({ organizationId, kind });

  return { open, filter };
}

type Plan = {
  readonly joined: JoinedLists;
  /** The number of rows that finding all items reads at most. */
  readonly cost: number;
  /** Rows of the condition that were read but cannot be used, because there are too many. */
  readonly unusedRows: number;
};

/**
 * Plans how to find the items: it compares the rarest list with the rows of the other lists, or
 * with the records if they cost less to read.
 */
async function planJoin<Field extends string>(
  list: FilteredList<Field>,
  { filters, condition }: ListFilters<Field>,
  mostOfCondition: number,
): Promise<Plan> {
  const [found, ...counted] = await Promise.all([
    condition?.find(mostOfCondition),
    ...filters.map((filter) => countedPart(list, filter)),
  ]);
  const parts = [
    ...counted,
    ...(condition && found?.areAll
      ? [{ open: rowsInMemory(found.rows), total: found.rows.length, matches: condition.matches }]
      : []),
  ];
  const [rarest = await everything(list), ...others] = parts.toSorted(
    (one, other) => one.total - other.total,
  );
  const { listed = [], compared = [] } = Object.groupBy(others, ({ total }) =>
    total <= rarest.total * rowsPerRecord ? 'listed' : 'compared',
  );
  const lists = [rarest, ...listed];
  const checks = [...compared, ...(condition && !found?.areAll ? [condition] : [])];
  const rows = lists.reduce((sum, { total }) => sum + total, 0);

  return {
    joined: {
      lists: lists.map(({ open }) => open),
      checks: checks.map(({ matches }) => matches),
      keyOf: list.keyOf,
    },
    cost: rows + (checks.length > 0 ? rarest.total * rowsPerRecord : 0),
    unusedRows: found?.areAll ? 0 : (found?.rows.length ?? 0),
  };
}

async function countedPart<Field extends string>(
  { fields, count }: FilteredList<Field>,
  filter: Filter<Field>,
) {
  const { rows, matches } = fields[filter.field];

  return {
    open: rows(filter.value),
    total: await count(filter),
    matches: (record: Readonly<Record<string, unknown>>) => matches(record, filter.value),
  };
}

async function everything<Field extends string>(list: FilteredList<Field>) {
  const { organizationId, kind } = list;

  return { open: rowsOfAll({ organizationId, kind }), total: await list.count() };
}

function rowsOfAll(list: WholeList): OpenRows {
  return (pageSize, range) => rowsOf(list, pageSize, range);
}

function rowsInMemory(rows: readonly IndexRow[]): OpenRows {
  const sorted = rows.toSorted((one, other) => (one.id < other.id ? 1 : -1));

  return async function* rowsOfRange(_pageSize, { before, from }) {
    yield* sorted.filter(
      ({ id }) => (before === undefined || id < before) && (from === undefined || id >= from),
    );
  };
}

async function walkPage(
  joined: JoinedLists,
  ids: IdRange,
  request: PageRequest,
): Promise<PageOfRows<IndexRow>> {
  const { page, before = ids.before, skipped } = startOf(request);
  const { limit } = request;
  const wanted = skipped + limit + 1;
  const isBelow = ids.before === undefined || (before !== undefined && before < ids.before);
  const range = { from: ids.from, before: isBelow ? before : ids.before };
  const budget = { left: rowsPerPage + limit * rowsPerRecord };
  const { rows, stoppedAt } = await walkJoined(joined, { wanted, range, budget });
  if (stoppedAt && skipped > 0 && rows.length <= skipped) {
    throw badRequest('page is too high for these filters: continue with cursor instead');
  }
  const isWhole = !stoppedAt && request.cursor === undefined && rows.length < wanted;

  return pageOf(rows.slice(skipped), {
    page,
    limit,
    total: isWhole ? rows.length : null,
    stoppedAt,
  });
}

export type Counted = {
  readonly count: number;
  /** False if the row budget was spent, so there may be more. */
  readonly isCountExact: boolean;
};

/** Counts the items that match all filters. Uses counters if possible. */
export async function countFilteredItems<Field extends string>(
  list: FilteredList<Field>,
  wanted: ListFilters<Field>,
  budget: RowBudget,
): Promise<Counted> {
  const single = singleListOf(list, wanted);
  if (single) {
    return { count: await list.count(single.filter), isCountExact: true };
  }
  const { filters, ids, condition } = wanted;
  if (condition && filters.length === 0 && !ids) {
    return countMatches(condition, budget);
  }
  const mostOfCondition = Math.max(0, Math.floor(budget.left / 2));
  const { joined, unusedRows } = await planJoin(list, wanted, mostOfCondition);
  budget.left -= unusedRows;
  const all = { wanted: Number.POSITIVE_INFINITY, range: ids ?? {}, budget };
  const { rows, stoppedAt } = await walkJoined(joined, all);

  return { count: rows.length, isCountExact: stoppedAt === undefined };
}

async function countMatches(condition: RecordCondition, budget: RowBudget): Promise<Counted> {
  const { rows, areAll } = await condition.find(Math.max(0, budget.left));
  budget.left -= rows.length;

  return { count: rows.length, isCountExact: areAll };
}
