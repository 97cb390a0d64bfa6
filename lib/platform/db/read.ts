import { setTimeout as wait } from 'node:timers/promises';
import { BatchGetCommand, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { config } from '#lib/platform/config.ts';
import { overloaded } from '#lib/platform/errors/failures.ts';
import { backoffMs } from './backoff.ts';
import { documentClient } from './client.ts';
import { type Condition, Expression, isAlive } from './conditions.ts';
import type { Key, KeyRange } from './keys/key.ts';

export async function get<Item extends object>(key: Key): Promise<(Item & Key) | undefined> {
  const { Item } = await documentClient.send(
    new GetCommand({ TableName: config.tableName, Key: key, ConsistentRead: true }),
  );

  return isAlive(Item) ? (Item as Item & Key) : undefined;
}

const maxBatch = 100;
const maxBatchTries = 8;

/**
 * Returns the existing items in the order of the keys, `undefined` for missing ones. Reads batches
 * of 100 in parallel and retries unprocessed keys.
 */
export async function getMany<Item extends object>(
  wanted: readonly Key[],
): Promise<ReadonlyArray<(Item & Key) | undefined>> {
  const distinct = [...new Map(wanted.map((key) => [nameOf(key), key])).values()];
  const chunks = Array.from({ length: Math.ceil(distinct.length / maxBatch) }, (_, index) =>
    distinct.slice(index * maxBatch, (index + 1) * maxBatch),
  );
  const found = (await Promise.all(chunks.map(getChunk))).flat().filter(isAlive);
  const byName = new Map(found.map((item) => [nameOf(item as Key), item as Item & Key]));

  return wanted.map((key) => byName.get(nameOf(key)));
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
      await wait(backoffMs(tries));
    }
  }

  return found;
}

export type QueryOptions = {
  readonly newestFirst?: boolean;
  readonly limit?: number;
  /** The sort key after which to start. */
  readonly after?: string;
  readonly keysOnly?: boolean;
  /** Eventually consistent: half the price, but recent writes may be missing. */
  readonly eventually?: boolean;
  /** The attributes to return. Reading costs the same as for the whole item. */
  readonly attributes?: readonly string[];
  /** Also returns expired items that DynamoDB has not deleted yet. */
  readonly expiredToo?: boolean;
  /** A filter condition. Items that do not match are still read and billed. */
  readonly only?: Condition | undefined;
};

/** Returns the items of a range, at most `limit`. Reads as many pages as needed. */
export async function query<Item extends object>(
  range: KeyRange,
  options: QueryOptions = {},
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
 * Yields the items of a range page by page, about 1 MB each. The next page loads while one is
 * processed, so that long lists need little memory.
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
    // If the next page fails, its error is thrown where the page is awaited.
    coming?.catch(() => undefined);
    yield (page.Items ?? []).filter(isAlive) as Item[];
  }
}

/**
 * With a filter, DynamoDB's limit also counts dropped items. Reads at least 100 items per page to
 * avoid many calls.
 */
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
