import * as fc from 'fast-check';
import {
  brokenExpressions,
  condition,
  type Expression,
  join,
  partition,
  projectedCondition,
  projection,
  range,
  update,
} from './expressions.ts';
import {
  due,
  item,
  key,
  listed,
  partitionKey,
  rejectedAttributes,
  rejectedKey,
  rejectedValue,
  sortKey,
} from './values.ts';

export const TableName = 'judged';

export type Fields = Readonly<Record<string, unknown>>;
export type RawRequest = { readonly operation: string; readonly request: Fields };

type Expressions = Readonly<Record<string, Expression | undefined>>;

/** The fields of expressions and their placeholders. */
function expressed(expressions: Expressions): Fields {
  const given = Object.entries(expressions).filter(
    (entry): entry is [string, Expression] => entry[1] !== undefined && entry[1].text !== '',
  );
  const { names, values } = join(given.map(([, expression]) => expression));

  return {
    ...Object.fromEntries(given.map(([name, { text }]) => [name, text])),
    ...(Object.keys(names).length > 0 ? { ExpressionAttributeNames: names } : {}),
    ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {}),
  };
}

/** Each of these fields may be missing. */
function some(fields: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Fields> {
  return fc.record(fields, { requiredKeys: [] });
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const ofFailure = some({ ReturnValuesOnConditionCheckFailure: fc.constantFrom('ALL_OLD', 'NONE') });

const put: fc.Arbitrary<Fields> = fc
  .tuple(item, maybe(condition), ofFailure)
  .map(([Item, ConditionExpression, more]) => ({
    TableName,
    Item,
    ...more,
    ...expressed({ ConditionExpression }),
  }));
const keyed = (expressions: Readonly<Record<string, fc.Arbitrary<Expression | undefined>>>) =>
  fc
    .tuple(key, fc.record(expressions), ofFailure)
    .map(([Key, given, more]): Fields => ({ TableName, Key, ...more, ...expressed(given) }));
const remove = keyed({ ConditionExpression: maybe(condition) });
const change = keyed({ UpdateExpression: update, ConditionExpression: maybe(condition) });
const transactedChange = change.filter(({ UpdateExpression }) => UpdateExpression !== undefined);
const check = keyed({ ConditionExpression: condition });

const consistency = some({ ConsistentRead: fc.boolean() });
const reading = fc
  .tuple(consistency, maybe(projection))
  .map(([more, ProjectionExpression]) => ({ ...more, ...expressed({ ProjectionExpression }) }));
const get = fc.tuple(key, reading).map(([Key, more]): Fields => ({ TableName, Key, ...more }));

const indexed = { ...listed, ...due };

type Source = {
  readonly IndexName?: string;
  readonly parts: readonly (Expression | undefined)[];
  readonly filter: fc.Arbitrary<Expression>;
};

const ofTable: fc.Arbitrary<Source> = fc
  .tuple(
    partitionKey,
    range(
      'sk',
      sortKey.map((S) => ({ S })),
    ),
  )
  .map(([S, part]) => ({ parts: [partition({ pk: { S } }), part], filter: condition }));
const ofIndex = (
  IndexName: string,
  hashNames: readonly (keyof typeof indexed)[],
  rangeName: 'dueAt' | 'id' | 'rank',
): fc.Arbitrary<Source> =>
  fc
    .tuple(
      fc.tuple(...hashNames.map((name) => indexed[name].map((one) => [name, one] as const))),
      range(rangeName, indexed[rangeName]),
    )
    .map(([hash, part]) => ({
      IndexName,
      parts: [partition(Object.fromEntries(hash)), part],
      filter: projectedCondition,
    }));
const source = fc.oneof(
  { weight: 3, arbitrary: ofTable },
  ofIndex('due', ['duePk'], 'dueAt'),
  ofIndex('list', ['organizationId', 'list'], 'id'),
  ofIndex('byStatus', ['organizationId', 'list', 'status'], 'id'),
  ofIndex('byRank', ['organizationId', 'list'], 'rank'),
);
const paging = some({ Limit: fc.integer({ min: 1, max: 4 }), ScanIndexForward: fc.boolean() });

const query: fc.Arbitrary<Fields> = source
  .chain(({ IndexName, parts, filter }) =>
    fc.record({
      ofSource: fc.constant({
        more: IndexName === undefined ? {} : { IndexName },
        KeyConditionExpression: join(parts.filter(isGiven), ' AND '),
      }),
      FilterExpression: maybe(filter),
      ...(IndexName === undefined
        ? { ProjectionExpression: maybe(projection), shape: consistency }
        : { shape: some({ Select: fc.constant('COUNT') }) }),
      pages: paging,
    }),
  )
  .map(({ ofSource: { more, KeyConditionExpression }, shape, pages, ...expressions }) => ({
    TableName,
    ...more,
    ...shape,
    ...pages,
    ...expressed({ KeyConditionExpression, ...expressions }),
  }));

function isGiven<T>(part: T | undefined): part is T {
  return part !== undefined;
}

const batchGet: fc.Arbitrary<Fields> = fc
  .tuple(distinct(key, 4), reading)
  .map(([Keys, more]) => ({ RequestItems: { [TableName]: { Keys, ...more } } }));
const batchWrite: fc.Arbitrary<Fields> = distinct(
  fc.oneof(
    item.map((Item) => ({ PutRequest: { Item } })),
    key.map((Key) => ({ DeleteRequest: { Key } })),
  ),
  4,
).map((entries) => ({ RequestItems: { [TableName]: entries } }));
const transaction: fc.Arbitrary<Fields> = fc
  .tuple(
    distinct(
      fc.oneof(
        put.map((Put) => ({ Put })),
        transactedChange.map((Update) => ({ Update })),
        remove.map((Delete) => ({ Delete })),
        check.map((ConditionCheck) => ({ ConditionCheck })),
      ),
      4,
    ),
    some({ ClientRequestToken: fc.constantFrom('first', 'second') }),
  )
  .map(([TransactItems, more]) => ({ TransactItems, ...more }));

/** Entries for different items. */
function distinct<T>(entries: fc.Arbitrary<T>, maxLength: number): fc.Arbitrary<readonly T[]> {
  return fc.uniqueArray(entries, { minLength: 1, maxLength, selector: nameOf });
}

/** Returns the first key in an entry. */
function nameOf(entry: unknown): string {
  const json = JSON.stringify(entry);

  return ['pk', 'sk'].map((name) => json.split(`"${name}":`)[1]?.split('}')[0]).join();
}

const returned = some({ ReturnValues: fc.constantFrom('ALL_NEW', 'NONE') });
const valid: fc.Arbitrary<RawRequest> = fc.oneof(
  { weight: 5, arbitrary: as('PutItem', put) },
  { weight: 5, arbitrary: as('UpdateItem', fc.tuple(change, returned).map(merge)) },
  { weight: 1, arbitrary: as('DeleteItem', remove) },
  { weight: 2, arbitrary: as('GetItem', get) },
  { weight: 6, arbitrary: as('Query', query) },
  { weight: 2, arbitrary: as('BatchGetItem', batchGet) },
  { weight: 2, arbitrary: as('BatchWriteItem', batchWrite) },
  { weight: 5, arbitrary: as('TransactWriteItems', transaction) },
);

function as(operation: string, requests: fc.Arbitrary<Fields>): fc.Arbitrary<RawRequest> {
  return requests.map((request) => ({ operation, request }));
}

function merge(parts: readonly object[]): Fields {
  return Object.assign({}, ...parts);
}

/** Fields that each make a request invalid. */
const damage: fc.Arbitrary<Fields> = fc.oneof(
  { weight: 4, arbitrary: brokenExpressions },
  { weight: 2, arbitrary: rejectedKey.map((Key) => ({ Key })) },
  { weight: 2, arbitrary: rejectedKey.map((Item) => ({ Item })) },
  {
    weight: 2,
    arbitrary: fc.tuple(key, rejectedAttributes).map((parts) => ({ Item: merge(parts) })),
  },
  rejectedValue.map((one) => ({ ExpressionAttributeValues: { ':v': one } })),
  rejectedKey.map((ExclusiveStartKey) => ({ ExclusiveStartKey })),
  key.map((ExclusiveStartKey) => ({ ExclusiveStartKey })),
  fc.constantFrom<Fields>(
    ...[{ ExpressionAttributeNames: { '#unused': 'a' } }, { Limit: 0 }, { IndexName: 'none' }],
    ...[{ IndexName: 'due', ConsistentRead: true }],
    ...[{ TableName: 'none' }, { Select: 'COUNT', ProjectionExpression: 'a' }],
  ),
);

/** Replaces or adds fields, at the top or within the first entry of a batch or transaction. */
function damaged([{ operation, request }, fields]: readonly [RawRequest, Fields]): RawRequest {
  const inEntry = (entry: Fields) => mapFirst(entry, (own) => merge([own, fields]));
  const { RequestItems, TransactItems } = request as {
    readonly RequestItems?: Readonly<Record<string, Fields | readonly Fields[]>>;
    readonly TransactItems?: readonly Fields[];
  };
  if (TransactItems) {
    return { operation, request: { ...request, TransactItems: mapFirst(TransactItems, inEntry) } };
  }
  if (RequestItems) {
    const ofTable = RequestItems[TableName] ?? [];
    const changed = 'Keys' in ofTable ? merge([ofTable, fields]) : mapFirst(ofTable, inEntry);

    return { operation, request: { RequestItems: { [TableName]: changed } } };
  }

  return { operation, request: merge([request, fields]) };
}

/** Replaces the first element of a list, or the first field of an object. */
function mapFirst<T extends object>(all: T, change: (first: Fields) => Fields): T {
  const [[name = '', first = {}] = []] = Object.entries(all);

  return Object.assign(structuredClone(all), { [name]: change(first) });
}

export const rawRequest: fc.Arbitrary<RawRequest> = fc.oneof(
  { weight: 5, arbitrary: valid },
  { weight: 1, arbitrary: fc.tuple(valid, damage).map(damaged) },
);
