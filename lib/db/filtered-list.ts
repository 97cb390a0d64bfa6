import type { Key } from './keys.ts';
import type { Page, PageRequest } from './list.ts';
import { getMany } from './read.ts';
import { type IndexRow, type ListIndex, listIndexPage, pickPage, rowsOf } from './sharded-list.ts';

export type Filter<Field extends string> = { readonly field: Field; readonly value: string };

/** A list that is kept by indexes: one for all of it, and one for each of its filters. */
export type FilteredList<Field extends string> = {
  readonly organizationId: string;
  /** The value of the index `list`. */
  readonly all: string;
  readonly indexes: Readonly<Record<Field, ListIndex>>;
  /** How many there are, or how many pass a filter: from counters, whatever their number. */
  readonly count: (filter?: Filter<Field>) => Promise<number>;
  readonly keyOf: (id: string) => Key;
};

const allIndex: ListIndex = { name: 'list', attribute: 'list' };
const batch = 100;

/**
 * One page of what passes all filters, newest first. With no filter or one, a page by cursor costs
 * the same wherever it lies; with several, all rows of the rarest one are read and compared.
 */
export async function listFiltered<Field extends string>(
  list: FilteredList<Field>,
  wanted: Readonly<Partial<Record<Field, string | undefined>>>,
  request: PageRequest,
): Promise<Page<IndexRow>> {
  const { organizationId, all, indexes, count } = list;
  const filters = (Object.entries(wanted) as Array<[Field, string | undefined]>).flatMap(
    ([field, value]) => (value === undefined ? [] : [{ field, value }]),
  );
  const [only, ...others] = filters;
  if (!only) {
    return listIndexPage({ index: allIndex, organizationId, value: all }, request, count());
  }
  if (others.length === 0) {
    const index = indexes[only.field];

    return listIndexPage({ index, organizationId, value: only.value }, request, count(only));
  }

  return pickPage(await findMatching(list, filters), request);
}

/** The rows of the rarest filter whose records pass the others too, newest first. */
async function findMatching<Field extends string>(
  { organizationId, indexes, count, keyOf }: FilteredList<Field>,
  filters: ReadonlyArray<Filter<Field>>,
): Promise<IndexRow[]> {
  const counts = await Promise.all(filters.map((filter) => count(filter)));
  const rarest = filters[counts.indexOf(Math.min(...counts))];
  if (!rarest) {
    return [];
  }
  const list = { index: indexes[rarest.field], organizationId, value: rarest.value };
  const found: IndexRow[] = [];
  let pending: IndexRow[] = [];
  const settle = async () => {
    const records = await getMany<Record<string, unknown>>(pending.map(({ id }) => keyOf(id)));
    const passes = (record: Record<string, unknown> | undefined) =>
      record !== undefined &&
      filters.every(({ field, value }) => record[indexes[field].attribute] === value);
    found.push(...pending.filter((_, index) => passes(records[index])));
    pending = [];
  };
  for await (const row of rowsOf(list, batch)) {
    pending.push(row);
    if (pending.length === batch) {
      await settle();
    }
  }
  await settle();

  return found;
}
