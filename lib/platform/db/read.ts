import { setTimeout as wait } from 'node:timers/promises';
import { BatchGetCommand, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { config } from '#lib/platform/config.ts';
import { overloaded } from '#lib/platform/errors/failures.ts';
import { documentClient } from './client.ts';
import { type Condition, Expression } from './conditions.ts';
import type { Key, KeyRange } from './keys/key.ts';
import { isWithin, takeAhead } from './read-ahead.ts';
import { isAlive } from './time-to-live.ts';

/** The item as it is now: reads are strongly consistent. */
export function get<Item extends object>(key: Key): Promise<(Item & Key) | undefined> {
  return takeItem(key, () => getNow<Item>(key));
}

function takeItem<Item>(key: Key, read: () => Promise<Item>): Promise<Item> {
  return takeAhead(nameOf(key), ({ pk, sk }) => pk === key.pk && sk === key.sk, read);
}

async function getNow<Item extends object>(key: Key): Promise<(Item & Key) | undefined> {
  const { Item } = await documentClient.send(
    new GetCommand({ TableName: config.tableName, Key: key, ConsistentRead: true }),
  );

  return isAlive(Item) ? (Item as Item & Key) : undefined;
}

const maxBatch = 100;
const maxBatchTries = 8;

/**
 * The items that exist, in the order of the keys given, `undefined` for the others. One call for
 * each hundred, all at once; what the table leaves unprocessed is asked for again.
 */
export async function getMany<Item extends object>(
  wanted: readonly Key[],
): Promise<ReadonlyArray<(Item & Key) | undefined>> {
  let rest: Promise<ReadonlyMap<string, Item & Key>> | undefined;
  const asked: Key[] = [];
  const taken = wanted.map((key) =>
    takeItem(key, async () => {
      asked.push(key);
      rest ??= Promise.resolve().then(() => getManyNow<Item>(asked));

      return (await rest).get(nameOf(key));
    }),
  );

  return Promise.all(taken);
}

async function getManyNow<Item extends object>(
  wanted: readonly Key[],
): Promise<ReadonlyMap<string, Item & Key>> {
  const distinct = [...new Map(wanted.map((key) => [nameOf(key), key])).values()];
  const chunks = Array.from({ length: Math.ceil(distinct.length / maxBatch) }, (_, index) =>
    distinct.slice(index * maxBatch, (index + 1) * maxBatch),
  );
  const found = (await Promise.all(chunks.map(getChunk))).flat().filter(isAlive);

  return new Map(found.map((item) => [nameOf(item as Key), item as Item & Key]));
}

function nameOf({ pk, sk }: Key): string {
  return `${pk}\n${sk}`;
}

async function getChunk(wanted: readonly Key[]): Promise<Array<Record<string, unknown>>> {
  const found: Array<Record<string, unknown>> = [];
  let remaining: readonly Key[] = wanted;
  for (let tries = 1; remaining.length > 0; tries += 1) {
    const { Responses, UnprocessedKeys } = await documentClient.send(
      new BatchGetCommand({
        RequestItems: {
          [config.tableName]: {
            Keys: remaining.map(({ pk, sk }) => ({ pk, sk })),
            ConsistentRead: true,
          },
        },
      }),
    );
    found.push(...(Responses?.[config.tableName] ?? []));
    remaining = (UnprocessedKeys?.[config.tableName]?.Keys ?? []) as Key[];
    if (remaining.length > 0 && tries === maxBatchTries) {
      throw overloaded(new Error('The table left keys of a batch unprocessed'));
    }
    if (remaining.length > 0) {
      await wait(Math.min(400, 10 * 2 ** tries));
    }
  }

  return found;
}

export type QueryOptions = {
  readonly newestFirst?: boolean;
  readonly limit?: number;
  /** The sort key after which the answer begins. */
  readonly after?: string;
  readonly keysOnly?: boolean;
  /** For half the price, and perhaps without what was written some milliseconds ago. */
  readonly eventually?: boolean;
  /** Only these of an item come over the wire. It is read, and paid for, as a whole. */
  readonly attributes?: readonly string[];
  /** Also what the table has yet to remove, its time being over. */
  readonly expiredToo?: boolean;
  /** Only those for which this holds. All that lies in between is read, and paid for. */
  readonly only?: Condition | undefined;
};

/** The items of a range, at most `limit` of them, over as many pages as the table makes of it. */
export function query<Item extends object>(
  range: KeyRange,
  options: QueryOptions = {},
): Promise<ReadonlyArray<Item & Key>> {
  const read = () => queryNow<Item>(range, options);
  // A condition has no name to be found again by.
  if (options.only) {
    return read();
  }

  return takeAhead(JSON.stringify([range, options]), isWithin(range), read);
}

async function queryNow<Item extends object>(
  range: KeyRange,
  options: QueryOptions,
): Promise<ReadonlyArray<Item & Key>> {
  const { limit = Number.POSITIVE_INFINITY, after, expiredToo = false, only } = options;
  const items: Array<Item & Key> = [];
  let startKey: Record<string, unknown> | undefined = after
    ? { pk: range.pk, sk: after }
    : undefined;
  do {
    const page = await queryPage(range, options, pageLimit(limit - items.length, only), startKey);
    const seen = (page.Items ?? []).filter((item) => expiredToo || isAlive(item));
    items.push(...(seen as Array<Item & Key>));
    startKey = page.LastEvaluatedKey;
  } while (startKey && items.length < limit);

  return items.slice(0, limit);
}

/**
 * The items of a range as the table hands them out, a megabyte at a time. The next page is on its
 * way while one is worked on, so that a list of any length is read in little memory.
 */
export async function* queryPages<Item extends object>(
  range: KeyRange,
  options: Pick<QueryOptions, 'newestFirst' | 'attributes' | 'limit'>,
): AsyncGenerator<readonly Item[], void, undefined> {
  const pageAfter = (startKey?: Record<string, unknown>) =>
    queryPage(range, options, options.limit ?? Number.POSITIVE_INFINITY, startKey);
  let coming: ReturnType<typeof queryPage> | undefined = pageAfter();
  while (coming) {
    const page: Awaited<ReturnType<typeof queryPage>> = await coming;
    coming = page.LastEvaluatedKey ? pageAfter(page.LastEvaluatedKey) : undefined;
    // It fails where it is waited for.
    coming?.catch(() => undefined);
    yield (page.Items ?? []).filter(isAlive) as Item[];
  }
}

/** What is left out counts for the table's own limit: so as not to ask again for each item of it. */
function pageLimit(wanted: number, only: Condition | undefined): number {
  return only ? Math.max(wanted, maxBatch) : wanted;
}

function queryPage(
  { pk, from, to }: KeyRange,
  { newestFirst = false, keysOnly = false, attributes, eventually = false, only }: QueryOptions,
  limit: number,
  startKey: Record<string, unknown> | undefined,
) {
  const expression = new Expression();
  const filtered = only ? { FilterExpression: only(expression) } : {};
  const named = keysOnly ? ['pk', 'sk'] : attributes;
  const wanted = named && [...named, 'expiresAtSeconds'];
  const projected = wanted
    ? { ProjectionExpression: wanted.map((name) => expression.name(name)).join(', ') }
    : {};
  const names = expression.names;

  return documentClient.send(
    new QueryCommand({
      TableName: config.tableName,
      ConsistentRead: !eventually,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: { ...expression.values, ':pk': pk, ':from': from, ':to': to },
      ...filtered,
      ...projected,
      ...(Object.keys(names).length > 0 ? { ExpressionAttributeNames: names } : {}),
      ScanIndexForward: !newestFirst,
      ...(Number.isFinite(limit) ? { Limit: limit } : {}),
      ...(startKey ? { ExclusiveStartKey: startKey } : {}),
    }),
  );
}
