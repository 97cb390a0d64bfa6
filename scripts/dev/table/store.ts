import { checkedItem, type Item } from './attribute-value.ts';
import { keyOf } from './item-checks.ts';
import type { ItemChange, Store } from './operation.ts';
import { type Lag, StoredTable, type TableDefinition } from './stored-table.ts';

/** One change of a store, as a journal records it. */
export type JournalEntry =
  | { readonly create: TableDefinition }
  | { readonly drop: string }
  | { readonly table: string; readonly timeToLive: string | null }
  | { readonly items: readonly StoredChange[] };

type StoredChange =
  | { readonly table: string; readonly put: Item }
  | { readonly table: string; readonly remove: Item };

/** Keeps the entries of a store between runs. */
export type Journal = {
  /** Yields the entries of earlier runs. */
  readonly read: () => Iterable<JournalEntry>;
  /** Replaces all entries with shorter ones that have the same result. */
  readonly rewrite: (entries: Iterable<JournalEntry>) => void;
  readonly append: (entry: JournalEntry) => void;
};

/** Opens a store with the content of its journal. Without a journal, its data is only in memory. */
export function openStore(journal?: Journal, lag?: Lag): Store {
  let append: Journal['append'] = () => undefined;
  const store = createStore((entry) => append(entry), lag);
  if (journal) {
    for (const entry of journal.read()) {
      replay(store, entry);
    }
    journal.rewrite(entriesOf(store));
    append = journal.append;
  }

  return store;
}

/** `record` is called before a change is applied, and may throw to prevent it. */
function createStore(record: (entry: JournalEntry) => void, lag: Lag | undefined): Store {
  const tables = new Map<string, StoredTable>();

  return {
    tables,
    create: (definition) => {
      record({ create: definition });
      const table = new StoredTable(definition, lag);
      tables.set(definition.TableName, table);

      return table;
    },
    drop: (name) => {
      record({ drop: name });
      tables.delete(name);
    },
    setTimeToLive: (table, attribute) => {
      record({ table: table.name, timeToLive: attribute ?? null });
      table.timeToLiveName = attribute;
    },
    commit: (changes) => {
      const effective = changes.filter(({ before, after }) => before !== after);
      if (effective.length > 0) {
        record({ items: effective.map(toStoredChange) });
      }
      for (const { table, before, after } of effective) {
        table.replace(before, after);
      }
    },
  };
}

function toStoredChange({ table, key, after }: ItemChange): StoredChange {
  return after ? { table: table.name, put: after } : { table: table.name, remove: key };
}

function* entriesOf({ tables }: Store): Generator<JournalEntry, void, undefined> {
  for (const table of tables.values()) {
    yield { create: table.definition };
    if (table.timeToLiveName !== undefined) {
      yield { table: table.name, timeToLive: table.timeToLiveName };
    }
    for (const item of table.itemsAfter(undefined)) {
      yield { items: [{ table: table.name, put: item }] };
    }
  }
}

/** Repeats a change from a journal. */
function replay(store: Store, entry: JournalEntry): void {
  if ('create' in entry) {
    store.create(entry.create);
  } else if ('drop' in entry) {
    store.drop(entry.drop);
  } else if ('timeToLive' in entry) {
    store.setTimeToLive(tableOf(store, entry.table), entry.timeToLive ?? undefined);
  } else {
    store.commit(entry.items.map((change) => toItemChange(store, change)));
  }
}

function toItemChange(store: Store, change: StoredChange): ItemChange {
  const table = tableOf(store, change.table);
  const after = 'put' in change ? checkedItem(change.put) : undefined;
  const key = 'put' in change ? keyOf(table, change.put) : change.remove;

  return { table, key, before: table.get(key), after };
}

function tableOf({ tables }: Store, name: string): StoredTable {
  const table = tables.get(name);
  if (!table) {
    throw new Error(`The journal names the table ${name}, which does not exist.`);
  }

  return table;
}
