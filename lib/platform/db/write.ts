import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  PutCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { compact, definedFields } from '#lib/platform/compact.ts';
import { config } from '#lib/platform/config.ts';
import { ApiError, overloaded } from '#lib/platform/errors/failures.ts';
import { backoffMs } from './backoff.ts';
import { documentClient } from './client.ts';
import {
  absent,
  allOf,
  type Condition,
  differs,
  Expression,
  either,
  exists,
  isAlive,
  isGone,
} from './conditions.ts';
import { ConditionNotMetError, type StoredItem } from './failures.ts';
import type { Key } from './keys/key.ts';

export type Attributes = Readonly<Record<string, unknown>>;

/**
 * Returns additional writes for a function's transaction. They come first, so that their error
 * takes precedence over the function's errors. The exception is a function that retries by itself.
 */
export type ExtraWrites<Result> = (result: Result) => Promise<readonly Write[]>;

/** Use when there is nothing extra to write. */
export const noExtraWrites: ExtraWrites<unknown> = async () => [];

export type Refusal = (stored: StoredItem | undefined) => Error;

/** One write, and the error to throw if its condition fails. */
export type Write = {
  readonly kind: 'create' | 'change' | 'remove' | 'ensure';
  readonly key: Key;
  readonly item?: Attributes;
  readonly update?: string;
  readonly condition?: string;
  readonly expression: Expression;
  readonly onConditionFailed: Refusal;
  /** Runs after the write, for example to notify a worker. It must not throw. */
  readonly afterwards?: () => Promise<void>;
};

const conditionNotMet =
  (key: Key): Refusal =>
  (stored) =>
    new ConditionNotMetError(key, stored);

/** Accepts whole items as keys, and drops their other attributes. */
function keyOnly({ pk, sk }: Key): Key {
  return { pk, sk };
}

/** Creates an item. Fails if the item exists and has not expired. */
export function create(
  key: Key,
  attributes: Attributes,
  onConditionFailed = conditionNotMet(key),
): Write {
  const expression = new Expression();

  return {
    kind: 'create',
    key: keyOnly(key),
    item: { ...compact(attributes), ...keyOnly(key) },
    condition: isGone()(expression),
    expression,
    onConditionFailed,
  };
}

export function put(key: Key, attributes: Attributes): Write {
  return {
    kind: 'create',
    key: keyOnly(key),
    item: { ...compact(attributes), ...keyOnly(key) },
    expression: new Expression(),
    onConditionFailed: conditionNotMet(key),
  };
}

export type Change = {
  /** `undefined` keeps an attribute, null removes it. */
  readonly set?: Attributes;
  readonly add?: Readonly<Record<string, number>>;
  /** A condition in addition to the existence of the item. */
  readonly when?: Condition;
  readonly onConditionFailed?: Refusal;
  /** Creates the item if it does not exist. For counters. */
  readonly orCreate?: boolean;
};

/** Changes an existing item. Never recreates a deleted one. */
export function change(
  key: Key,
  { set = {}, add = {}, when, onConditionFailed, orCreate }: Change,
): Write {
  const expression = new Expression();
  const clauses = updateClauses(expression, set, add);
  const conditions = [...(orCreate ? [] : [exists()]), ...(when ? [when] : [])];
  const condition = conditions.length > 0 ? { condition: allOf(...conditions)(expression) } : {};

  return {
    kind: 'change',
    key: keyOnly(key),
    update: clauses,
    ...condition,
    expression,
    onConditionFailed: onConditionFailed ?? conditionNotMet(key),
  };
}

function updateClauses(
  expression: Expression,
  set: Attributes,
  add: Readonly<Record<string, number>>,
): string {
  const assigned = Object.entries(definedFields(set));
  const sets = assigned
    .filter(([, value]) => value !== null)
    .map(([attribute, value]) => `${expression.name(attribute)} = ${expression.value(value)}`);
  const removals = assigned
    .filter(([, value]) => value === null)
    .map(([attribute]) => expression.name(attribute));
  const additions = Object.entries(add).map(
    ([attribute, amount]) => `${expression.name(attribute)} ${expression.value(amount)}`,
  );

  return [
    sets.length > 0 ? `SET ${sets.join(', ')}` : '',
    removals.length > 0 ? `REMOVE ${removals.join(', ')}` : '',
    additions.length > 0 ? `ADD ${additions.join(', ')}` : '',
  ]
    .filter((clause) => clause !== '')
    .join(' ');
}

/** Adds to a counter, which starts at 0. */
export function count(key: Key, amounts: Readonly<Record<string, number>>): Write {
  return change(key, { add: amounts, orCreate: true });
}

/** The item after the change, assuming no concurrent write. */
export function applied<Item extends object>(item: Item, set: Attributes): Item {
  return compact({ ...item, ...definedFields(set) });
}

export type Requirement = { readonly when?: Condition; readonly onConditionFailed?: Refusal };

/** Deletes an item that must exist. */
export function remove(key: Key, { when, onConditionFailed }: Requirement = {}): Write {
  const expression = new Expression();

  return {
    kind: 'remove',
    key: keyOnly(key),
    condition: allOf(exists(), ...(when ? [when] : []))(expression),
    expression,
    onConditionFailed: onConditionFailed ?? conditionNotMet(key),
  };
}

/** Deletes an item if it exists. */
export function discard(key: Key): Write {
  return {
    kind: 'remove',
    key: keyOnly(key),
    expression: new Expression(),
    onConditionFailed: conditionNotMet(key),
  };
}

/** Adds a condition to the transaction without writing anything. */
export function ensure(key: Key, { when, onConditionFailed }: Requirement = {}): Write {
  const expression = new Expression();

  return {
    kind: 'ensure',
    key: keyOnly(key),
    condition: allOf(exists(), ...(when ? [when] : []))(expression),
    expression,
    onConditionFailed: onConditionFailed ?? conditionNotMet(key),
  };
}

/** Adds the condition that no item matches `when`, without writing anything. */
export function ensureNot(key: Key, when: Condition, onConditionFailed: Refusal): Write {
  const expression = new Expression();
  const isOther: Condition = (e) => `NOT ${when(e)}`;

  return {
    kind: 'ensure',
    key: keyOnly(key),
    condition: either(isGone(), isOther)(expression),
    expression,
    onConditionFailed,
  };
}

/**
 * Applies all writes or none. If conditions fail, throws the error from `onConditionFailed` of the
 * first one. Retries conflicts with other transactions.
 *
 * @returns the changed item, if there is only one write and it is a change.
 */
export async function write(...writes: readonly Write[]): Promise<StoredItem | undefined> {
  const item = await apply(writes);
  await Promise.all(writes.map(({ afterwards }) => afterwards?.()));

  return item;
}

async function apply(writes: readonly Write[]): Promise<StoredItem | undefined> {
  const [only, ...others] = writes;
  if (!only) {
    return undefined;
  }
  if (others.length === 0 && only.kind !== 'ensure') {
    return retryingConflicts(() => writeOne(only));
  }
  const token = randomUUID();

  return retryingConflicts(() => transact(writes, token));
}

const maxConflictTries = 8;

async function retryingConflicts<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (failure) {
      if (!isConflict(failure)) {
        throw failure;
      }
      if (tries === maxConflictTries) {
        throw overloaded(failure);
      }
      await wait(backoffMs(tries));
    }
  }
}

/** Cancellation reasons that a retry may not encounter. */
const transientReasons = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
]);

/** True if a write failed because of other transactions, and was certainly not applied. */
export function isConflictExhausted(failure: unknown): boolean {
  return failure instanceof ApiError && isOverlap(failure.cause);
}

function isConflict(failure: unknown): boolean {
  return isOverlap(failure) || failure instanceof TransactionInProgressException;
}

function isOverlap(failure: unknown): boolean {
  if (failure instanceof TransactionConflictException) {
    return true;
  }

  return (
    failure instanceof TransactionCanceledException &&
    (failure.CancellationReasons ?? []).some(
      ({ Code }) => Code !== undefined && transientReasons.has(Code),
    )
  );
}

/**
 * A single write stores a random id. If the SDK retries the request and the retry fails because the
 * first attempt succeeded, the id shows this.
 */
async function writeOne(single: Write): Promise<StoredItem | undefined> {
  const writeId = randomBytes(6).toString('base64url');
  try {
    return await sendOne(single, writeId);
  } catch (failure) {
    if (!(failure instanceof ConditionalCheckFailedException)) {
      throw failure;
    }
    const stored = unexpiredItem(failure.Item);
    const repeated = (failure.$metadata.attempts ?? 1) > 1;
    const alreadyDone = single.kind === 'remove' ? !failure.Item : stored?.writeId === writeId;
    if (repeated && alreadyDone) {
      return stored;
    }
    throw single.onConditionFailed(stored);
  }
}

/** Returns the conflicting item for the error, unless it has expired. */
function unexpiredItem(found: ConditionalCheckFailedException['Item']): StoredItem | undefined {
  const item = found && (unmarshall(found) as StoredItem);

  return isAlive(item) ? item : undefined;
}

async function sendOne(single: Write, writeId: string): Promise<StoredItem | undefined> {
  const request = {
    TableName: config.tableName,
    ...(single.condition ? { ConditionExpression: single.condition } : {}),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    ...placeholders(single.expression),
  };
  if (single.kind === 'create') {
    const Item = single.condition ? { ...single.item, writeId } : { ...single.item };
    await documentClient.send(new PutCommand({ ...request, Item }));

    return undefined;
  }
  if (single.kind === 'remove') {
    await documentClient.send(new DeleteCommand({ ...request, Key: single.key }));

    return undefined;
  }
  const answer = await documentClient.send(
    new UpdateCommand({
      ...request,
      ...traced(single, writeId),
      Key: single.key,
      ReturnValues: 'ALL_NEW',
    }),
  );

  return answer.Attributes as StoredItem | undefined;
}

/**
 * Stores the write's id on the item and fails if it is already there, so that SDK retries do not
 * add twice. A concurrent write overwrites the id, so counters with concurrent writers need a
 * transaction to be exact.
 */
function traced({ update = '', condition, expression }: Write, writeId: string) {
  const own = new Expression();
  Object.assign(own.names, expression.names);
  Object.assign(own.values, expression.values);
  const assignment = `${own.name('writeId')} = ${own.value(writeId)}`;
  const isFirst = either(absent('writeId'), differs('writeId', writeId))(own);

  return {
    ...placeholders(own),
    UpdateExpression: update.startsWith('SET ')
      ? update.replace('SET ', `SET ${assignment}, `)
      : `SET ${assignment} ${update}`,
    ConditionExpression: condition ? `${condition} AND ${isFirst}` : isFirst,
  };
}

function placeholders({ names, values }: Expression) {
  return {
    ...(Object.keys(names).length > 0 ? { ExpressionAttributeNames: names } : {}),
    ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {}),
  };
}

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

function transactItem({ kind, key, item, update, condition, expression }: Write): TransactItem {
  const common = {
    TableName: config.tableName,
    ...(condition ? { ConditionExpression: condition } : {}),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    ...placeholders(expression),
  };
  if (kind === 'create') {
    return { Put: { ...common, Item: { ...item } } };
  }
  if (kind === 'remove') {
    return { Delete: { ...common, Key: key } };
  }
  // DynamoDB rejects an empty update. A change can be empty if its new time equals the stored one.
  if (kind === 'change' && update !== '') {
    return { Update: { ...common, Key: key, UpdateExpression: update } };
  }

  return { ConditionCheck: { ...common, Key: key, ConditionExpression: condition } };
}

/** All attempts share one idempotency token, so that a transaction is applied once. */
async function transact(writes: readonly Write[], token: string): Promise<undefined> {
  try {
    await documentClient.send(
      new TransactWriteCommand({
        TransactItems: writes.map(transactItem),
        ClientRequestToken: token,
      }),
    );

    return undefined;
  } catch (failure) {
    if (failure instanceof TransactionCanceledException) {
      throw refusalOf(failure, writes) ?? failure;
    }
    throw failure;
  }
}

function refusalOf(
  { CancellationReasons = [] }: TransactionCanceledException,
  writes: readonly Write[],
): Error | undefined {
  const index = CancellationReasons.findIndex(({ Code }) => Code === 'ConditionalCheckFailed');
  const failed = writes[index];
  if (!failed) {
    return undefined;
  }
  const { Item } = CancellationReasons[index] ?? {};

  return failed.onConditionFailed(unexpiredItem(Item));
}
