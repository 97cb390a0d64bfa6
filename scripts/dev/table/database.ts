import type { Cost } from './costs.ts';
import { keyOf } from './item-checks.ts';
import type { Answered, ItemChange, Store } from './operation.ts';
import {
  createTable,
  deleteTable,
  describeTable,
  describeTimeToLive,
  listTables,
  updateTimeToLive,
} from './operations/administer.ts';
import { batchWriteItem } from './operations/batch-write.ts';
import { batchGetItem, getItem } from './operations/get.ts';
import { query } from './operations/query.ts';
import { scan } from './operations/scan.ts';
import { createTransactions } from './operations/transact-write.ts';
import { deleteItem, putItem, updateItem } from './operations/write-one.ts';
import { requireParameters } from './parameters.ts';
import { type Journal, openStore } from './store.ts';
import type { Lag, StoredTable } from './stored-table.ts';
import { unsupported } from './table-error.ts';

export type Database = {
  /** Executes an operation, or throws a `TableError`. Takes and returns DynamoDB's JSON. */
  readonly perform: (operation: string, request: unknown) => Answered;
  /** Deletes the expired items, as DynamoDB does from time to time. */
  readonly removeExpired: () => void;
  /** Makes all changes visible in the indexes. */
  readonly settle: () => void;
};

export type DatabaseOptions = {
  readonly journal?: Journal;
  /** The current time in milliseconds. */
  readonly now?: () => number;
  /** Without it, all reads are up to date. */
  readonly lag?: Lag;
};

type Operation = (store: Store, request: never) => Answered;

/** An in-memory DynamoDB with the features that this service uses. */
export function createDatabase({ journal, now = Date.now, lag }: DatabaseOptions = {}): Database {
  const store = openStore(journal, lag);
  const operations = {
    CreateTable: createTable,
    DeleteTable: deleteTable,
    DescribeTable: describeTable,
    ListTables: listTables,
    UpdateTimeToLive: updateTimeToLive,
    DescribeTimeToLive: describeTimeToLive,
    GetItem: getItem,
    PutItem: putItem,
    UpdateItem: updateItem,
    DeleteItem: deleteItem,
    Query: query,
    Scan: scan,
    BatchGetItem: batchGetItem,
    BatchWriteItem: batchWriteItem,
    TransactWriteItems: createTransactions(now),
  } as const satisfies Readonly<Record<string, Operation>>;

  return {
    perform: (name, request) => {
      if (!Object.hasOwn(operations, name)) {
        throw unsupported(`the operation ${name}`);
      }
      const known = name as keyof typeof operations;
      requireParameters(known, request);
      const run: Operation = operations[known];
      const { output, costs } = run(store, request as never);

      return request.ReturnConsumedCapacity === 'TOTAL'
        ? { output: { ...output, ConsumedCapacity: consumedCapacity(known, costs()) }, costs }
        : { output, costs };
    },
    removeExpired: () => removeExpired(store, now()),
    settle: () => {
      for (const table of store.tables.values()) {
        table.settle();
      }
    },
  };
}

function consumedCapacity(operation: string, costs: readonly Cost[]) {
  const byTable = Map.groupBy(costs, ({ table }) => table.name);
  const capacities = [...byTable].map(([TableName, own]) => ({
    TableName,
    CapacityUnits: own.reduce((sum, cost) => sum + unitsOf(cost), 0),
  }));

  return /^(Batch|Transact)/.test(operation) ? capacities : capacities[0];
}

function unitsOf({ readUnits, writeUnits, indexWriteUnits }: Cost): number {
  return readUnits + writeUnits + indexWriteUnits;
}

/** DynamoDB keeps items whose expiry time is further in the past than this. */
const longestExpiredMs = 5 * 365 * 24 * 60 * 60 * 1_000;

function removeExpired({ tables, commit }: Store, nowMs: number): void {
  for (const table of tables.values()) {
    for (const change of [...expiredIn(table, nowMs)]) {
      commit([change]);
    }
  }
}

function* expiredIn(table: StoredTable, nowMs: number): Generator<ItemChange, void, undefined> {
  const { timeToLiveName } = table;
  if (timeToLiveName === undefined) {
    return;
  }
  for (const item of table.itemsAfter(undefined)) {
    const expiredMs = nowMs - Number(item[timeToLiveName]?.N ?? Number.NaN) * 1_000;
    if (expiredMs > 0 && expiredMs < longestExpiredMs) {
      yield { table, key: keyOf(table, item), before: item, after: undefined };
    }
  }
}
