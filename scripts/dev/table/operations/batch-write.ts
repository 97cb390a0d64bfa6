import type { Item } from '../attribute-value.ts';
import { type Answered, requireTable, type Store } from '../operation.ts';
import { requireParameters } from '../parameters.ts';
import type { StoredTable } from '../stored-table.ts';
import { invalid } from '../table-error.ts';
import { type PreparedWrite, prepareDelete, preparePut, writeCost } from './prepare-write.ts';
import { requireDistinct } from './require-distinct.ts';

type WriteRequest = {
  readonly PutRequest?: { readonly Item: Item };
  readonly DeleteRequest?: { readonly Key: Item };
};

export type BatchWriteRequest = {
  readonly RequestItems: Readonly<Record<string, readonly WriteRequest[]>>;
};

const maxEntries = 25;

export function batchWriteItem(store: Store, { RequestItems }: BatchWriteRequest): Answered {
  const requests = Object.entries(RequestItems).flatMap(([name, list]) =>
    list.map((entry) => [requireTable(store, name), entry] as const),
  );
  if (requests.length === 0) {
    throw invalid('The batch write request list for a table cannot be null or empty');
  }
  if (requests.length > maxEntries) {
    throw invalid('Too many items requested for the BatchWriteItem call');
  }
  const writes = requests.map(([table, entry]) => prepareEntry(table, entry));
  requireDistinct(writes, 'Provided list of item keys contains duplicates');
  const changes = writes.map(({ plan }) => plan());
  store.commit(changes);

  return {
    output: { UnprocessedItems: {} },
    costs: () => changes.map((change) => writeCost(change)),
  };
}

function prepareEntry(table: StoredTable, entry: WriteRequest): PreparedWrite {
  requireParameters('entry of a BatchWriteItem', entry);
  const { PutRequest, DeleteRequest } = entry;
  const TableName = table.name;
  if (PutRequest && !DeleteRequest) {
    requireParameters('PutRequest', PutRequest);

    return preparePut(table, { TableName, Item: PutRequest.Item });
  }
  if (DeleteRequest && !PutRequest) {
    requireParameters('DeleteRequest', DeleteRequest);

    return prepareDelete(table, { TableName, Key: DeleteRequest.Key });
  }
  throw invalid('An entry of a BatchWriteItem must have either a PutRequest or a DeleteRequest');
}
