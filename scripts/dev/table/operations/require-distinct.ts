import type { Item } from '../attribute-value.ts';
import type { StoredTable } from '../stored-table.ts';
import { invalid } from '../table-error.ts';

/** Throws if two entries of a request refer to the same item. */
export function requireDistinct(
  entries: readonly { readonly table: StoredTable; readonly key: Item }[],
  message: string,
): void {
  const places = entries.map(({ table, key }) =>
    JSON.stringify([table.name, ...table.schema.keyNames.map((name) => key[name])]),
  );
  if (new Set(places).size < places.length) {
    throw invalid(message);
  }
}
