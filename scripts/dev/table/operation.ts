import type { Item } from './attribute-value.ts';
import type { Costs } from './costs.ts';
import type { StoredTable, TableDefinition } from './stored-table.ts';
import { TableError } from './table-error.ts';

export type Answered = {
  readonly output: Readonly<Record<string, unknown>>;
  readonly costs: Costs;
};

/** The change of one item. Undefined means that there is none. */
export type ItemChange = {
  readonly table: StoredTable;
  readonly key: Item;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
};

/** The tables, and the operations that change them. */
export type Store = {
  readonly tables: ReadonlyMap<string, StoredTable>;
  readonly create: (definition: TableDefinition) => StoredTable;
  readonly drop: (name: string) => void;
  readonly setTimeToLive: (table: StoredTable, attribute: string | undefined) => void;
  /** Applies all changes at once. */
  readonly commit: (changes: readonly ItemChange[]) => void;
};

export function requireTable({ tables }: Store, name: string): StoredTable {
  const table = tables.get(name);
  if (!table) {
    throw new TableError(
      'ResourceNotFoundException',
      `Requested resource not found: Table: ${name} not found`,
    );
  }

  return table;
}
