import { createDatabase, type Database } from '#scripts/dev/table/database.ts';
import { serveDatabase } from '#scripts/dev/table/start-table.ts';
import { callInProcess, type Performer } from './in-process-client.ts';
import { createStrictTable } from './strict-table.ts';

type OwnTable = { readonly url: string; readonly database: Database };

type Shared = {
  table?: Promise<OwnTable>;
  /** The number of running actions. */
  running: number;
  /** The number of running actions whose calls must not fail. */
  steady: number;
};

/** Survives `vi.resetModules`. */
const global = globalThis as { ownTable?: Shared };
global.ownTable ??= { running: 0, steady: 0 };
const shared = global.ownTable;

/**
 * Returns the URL of this worker's development table. Clients in the worker call it directly. The
 * server is for proxies and other processes. With `TEST_TABLE_SEED`, the table is strict.
 */
export async function startWorkersTable(): Promise<string> {
  shared.table ??= start(process.env.TEST_TABLE_SEED);

  return (await shared.table).url;
}

async function start(seed: string | undefined): Promise<OwnTable> {
  const { database, performer } = seed === undefined ? plainTable() : strictTable(Number(seed));
  const server = await serveDatabase(database, 0);
  callInProcess(performer, server.url);

  return { url: server.url, database };
}

type Table = { readonly database: Database; readonly performer: Performer };

function plainTable(): Table {
  const database = createDatabase();

  return { database, performer: database };
}

function strictTable(seed: number): Table {
  return createStrictTable(seed, () => shared.steady > 0);
}

/**
 * Runs something that a person or a schedule would start. First, the indexes receive all earlier
 * changes, unless something is still running.
 */
export async function startLater<T>(action: () => Promise<T>): Promise<T> {
  if (shared.running === 0) {
    (await shared.table)?.database.settle();
  }
  shared.running += 1;
  try {
    return await action();
  } finally {
    shared.running -= 1;
  }
}

/** Runs something whose calls are counted, so none of them may fail and be repeated. */
export async function withoutFaults<T>(action: () => Promise<T>): Promise<T> {
  shared.steady += 1;
  try {
    return await action();
  } finally {
    shared.steady -= 1;
  }
}
