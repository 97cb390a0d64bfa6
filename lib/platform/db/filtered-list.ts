import type { Key } from './keys/key.ts';
import type { Page, PageRequest } from './list.ts';
import { getMany } from './read.ts';
import {
  allRowsOf,
  type IndexRow,
  type ListIndex,
  listIndexPage,
  listMergedPage,
  pickPage,
  type RowSource,
  rowsOf,
} from './sharded-list.ts';

export type Filter<Field extends string> = { readonly field: Field; readonly value: string };

/** The items by the values of one field. */
export type FieldList = {
  /** The items with a value, newest first. */
  readonly rows: (value: string) => RowSource<IndexRow>;
  /** Reads all items with a value, newest first. */
  readonly all: (value: string) => Promise<readonly IndexRow[]>;
  readonly matches: (record: Readonly<Record<string, unknown>>, value: string) => boolean;
};

export function indexedField(organizationId: string, index: ListIndex): FieldList {
  return {
    rows: (value) => (pageSize, before) =>
      rowsOf({ index, organizationId, value }, pageSize, before),
    all: (value) => allRowsOf({ index, organizationId, value }),
    matches: (record, value) => record[index.attribute] === value,
  };
}

/** A list with one index for all items and a list for each filter. */
export type FilteredList<Field extends string> = {
  readonly organizationId: string;
  /** The value of the `list` attribute. */
  readonly all: string;
  readonly fields: Readonly<Record<Field, FieldList>>;
  /** Returns the number of all items or of those that match a filter, from counters. */
  readonly count: (filter?: Filter<Field>) => Promise<number>;
  readonly keyOf: (id: string) => Key;
};

const allIndex: ListIndex = { name: 'list', attribute: 'list' };
/** One read unit reads 8 KB: about 30 index rows of 250 bytes, or a single record. */
const rowsPerRecord = 30;
const recordsAtOnce = 1_000;

/**
 * Returns one page of the items that match all filters, newest first. With up to one filter, every
 * page by cursor costs the same. With several, all rows of the rarest filter are read. They are
 * compared with the rows of the other filters, or with the records if that is cheaper.
 */
export async function listFiltered<Field extends string>(
  list: FilteredList<Field>,
  wanted: Readonly<Partial<Record<Field, string | undefined>>>,
  request: PageRequest,
): Promise<Page<IndexRow>> {
  const { organizationId, all, fields, count } = list;
  const filters = (Object.entries(wanted) as Array<[Field, string | undefined]>).flatMap(
    ([field, value]) => (value === undefined ? [] : [{ field, value }]),
  );
  const [only, ...others] = filters;
  if (!only) {
    return listIndexPage({ index: allIndex, organizationId, value: all }, request, count());
  }
  if (others.length === 0) {
    return listMergedPage(fields[only.field].rows(only.value), request, count(only));
  }

  return pickPage(await findMatching(list, filters), request);
}

/** Returns the rows of the rarest filter that also match the others, newest first. */
async function findMatching<Field extends string>(
  list: FilteredList<Field>,
  filters: ReadonlyArray<Filter<Field>>,
): Promise<readonly IndexRow[]> {
  const counted = await Promise.all(
    filters.map(async (filter) => ({ ...filter, total: await list.count(filter) })),
  );
  const [rarest, ...others] = counted.toSorted((one, other) => one.total - other.total);
  if (!rarest) {
    return [];
  }
  const { listed = [], compared = [] } = Object.groupBy(others, ({ total }) =>
    total <= rarest.total * rowsPerRecord ? 'listed' : 'compared',
  );
  const [rows = [], ...rowsOfOthers] = await Promise.all(
    [rarest, ...listed].map(({ field, value }) => list.fields[field].all(value)),
  );
  const idsOfOthers = rowsOfOthers.map((others) => new Set(others.map(({ id }) => id)));
  const found = rows.filter(({ id }) => idsOfOthers.every((ids) => ids.has(id)));

  return compared.length > 0 ? await keepPassing(list, compared, found) : found;
}

async function keepPassing<Field extends string>(
  { fields, keyOf }: FilteredList<Field>,
  filters: ReadonlyArray<Filter<Field>>,
  rows: readonly IndexRow[],
): Promise<readonly IndexRow[]> {
  const kept: IndexRow[] = [];
  for (let start = 0; start < rows.length; start += recordsAtOnce) {
    const some = rows.slice(start, start + recordsAtOnce);
    const records = await getMany<Record<string, unknown>>(some.map(({ id }) => keyOf(id)));
    kept.push(
      ...some.filter((_, index) => {
        const record = records[index] ?? {};

        return filters.every(({ field, value }) => fields[field].matches(record, value));
      }),
    );
  }

  return kept;
}
