import { checkedItem, type Item, isSame, typeOf } from '../attribute-value.ts';
import { bindKeyCondition, type KeyRange } from '../expressions/bind-key-condition.ts';
import { Placeholders } from '../expressions/placeholders.ts';
import { isEmpty } from '../item-checks.ts';
import { type Answered, requireTable, type Store } from '../operation.ts';
import type { Entry, Place, SortedEntries } from '../sorted-entries.ts';
import type { StoredTable } from '../stored-table.ts';
import { invalid } from '../table-error.ts';
import type { IndexSchema } from '../table-schema.ts';
import { bindSelection, type PageFields, readPage, type Selection } from './read-page.ts';

type QueryRequest = PageFields & {
  readonly IndexName?: string;
  readonly KeyConditionExpression: string;
  readonly ScanIndexForward?: boolean;
};

export function query(store: Store, request: QueryRequest): Answered {
  const table = requireTable(store, request.TableName);
  const index = findIndex(table, request);
  const key = index ?? table.schema;
  const placeholders = new Placeholders(request, true);
  const range = bindKeyCondition(request.KeyConditionExpression, placeholders, key, table.types);
  const selection = bindSelection(request, placeholders);
  placeholders.requireAllUsed();
  requireOtherAttributes(selection.filter.names, key.keyNames);
  if (index) {
    requireProjected(table, index, selection);
  }
  const { ScanIndexForward: isForward = true } = request;
  const start = startPlace(table, index, range, request.ExclusiveStartKey);
  const isFinal = finalPlaceTest(index, range, isForward);
  if (start && isFinal(start)) {
    throw invalidStart();
  }
  const entries = table.partition(index, range.hashValues, !request.ConsistentRead);
  const items = itemsIn(entries, range, start, isForward);

  return readPage(
    { table, index, items, isLast: (item) => isFinal(table.placeOf(item)) },
    request,
    selection,
  );
}

/**
 * Returns a test for the last possible item of a range: nothing can follow an item whose key is the
 * included end. A page that ends with it is the last page, and DynamoDB rejects it as a start key.
 * In an index, several items can have that key.
 */
function finalPlaceTest(
  index: IndexSchema | undefined,
  { low, high, isExact }: KeyRange,
  isForward: boolean,
): (place: Place) => boolean {
  const end = isForward ? high : low;
  const final = index || isExact || !end?.isIncluded ? undefined : end.text;

  return ({ range: text }) => text === final;
}

function findIndex(
  table: StoredTable,
  { IndexName, ConsistentRead }: QueryRequest,
): IndexSchema | undefined {
  if (IndexName === undefined) {
    return undefined;
  }
  const index = table.schema.indexes.find(({ name }) => name === IndexName);
  if (!index) {
    throw invalid(`The table does not have the specified index: ${IndexName}`);
  }
  if (ConsistentRead) {
    throw invalid('Consistent reads are not supported on global secondary indexes');
  }

  return index;
}

function requireOtherAttributes(filtered: ReadonlySet<string>, keyNames: readonly string[]): void {
  const key = keyNames.find((name) => filtered.has(name));
  if (key !== undefined) {
    throw invalid(
      `Filter Expression can only contain non-primary key attributes: Primary key attribute: ${key}`,
    );
  }
}

function requireProjected(
  table: StoredTable,
  index: IndexSchema,
  { filter, projection }: Selection,
): void {
  const { projected } = index;
  if (projected === 'all') {
    return;
  }
  const known = new Set([...table.schema.keyNames, ...index.keyNames, ...projected]);
  const missing = [...filter.names, ...(projection.names ?? [])].find((name) => !known.has(name));
  if (missing !== undefined) {
    throw invalid(
      `One or more parameter values were invalid: Global secondary index ${index.name} does not project [${missing}]`,
    );
  }
}

/**
 * Returns the position where a previous page ended. Throws if it is not a position of this query.
 */
function startPlace(
  table: StoredTable,
  index: IndexSchema | undefined,
  range: KeyRange,
  given: Item | undefined,
): Place | undefined {
  if (given === undefined) {
    return undefined;
  }
  const key = checkedItem(given);
  const names = new Set([...table.schema.keyNames, ...(index?.keyNames ?? [])]);
  const isKey =
    Object.keys(key).length === names.size &&
    [...names].every((name) => key[name] && typeOf(key[name]) === table.types.get(name));
  if (!isKey || Object.values(key).some(isEmpty)) {
    throw invalid('The provided starting key is invalid');
  }
  const { hashNames } = index ?? table.schema;
  const place = table.placeOf(key, index);
  const isInside =
    hashNames.every((name, position) => isSame(key[name], range.hashValues[position])) &&
    !isBelow(place.range, range) &&
    !isAbove(place.range, range);
  if (!isInside) {
    throw invalidStart();
  }

  return place;
}

function invalidStart() {
  return invalid('The provided starting key does not match the range key predicate');
}

function isBelow(text: string, { low }: KeyRange): boolean {
  return low !== undefined && (low.isIncluded ? text < low.text : text <= low.text);
}

function isAbove(text: string, { high }: KeyRange): boolean {
  return high !== undefined && (high.isIncluded ? text > high.text : text >= high.text);
}

function* itemsIn(
  entries: SortedEntries,
  range: KeyRange,
  start: Place | undefined,
  isForward: boolean,
): Generator<Item, void, undefined> {
  const first = entries.firstIndex((entry) => !isBelow(entry.range, range));
  const end = entries.firstIndex((entry) => isAbove(entry.range, range));
  const from = start && isForward ? entries.indexAfter(start) : first;
  const to = start && !isForward ? entries.indexOf(start) : end;
  for (let step = 0; step < to - from; step += 1) {
    const { item } = entries.at(isForward ? from + step : to - 1 - step) as Entry;
    yield item;
  }
}
