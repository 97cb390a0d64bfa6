import type { Item } from '../attribute-value.ts';
import { Placeholders } from '../expressions/placeholders.ts';
import { checkedKey } from '../item-checks.ts';
import { type Answered, requireTable, type Store } from '../operation.ts';
import { bindSelection, type PageFields, readPage } from './read-page.ts';

export function scan(store: Store, request: PageFields): Answered {
  const table = requireTable(store, request.TableName);
  const { FilterExpression, ProjectionExpression, ExclusiveStartKey } = request;
  const placeholders = new Placeholders(
    request,
    (FilterExpression ?? ProjectionExpression) !== undefined,
  );
  const selection = bindSelection(request, placeholders);
  placeholders.requireAllUsed();
  const start: Item | undefined = ExclusiveStartKey && checkedKey(table, ExclusiveStartKey);

  return readPage({ table, items: table.itemsAfter(start) }, request, selection);
}
