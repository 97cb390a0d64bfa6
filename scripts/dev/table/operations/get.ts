import type { Item } from '../attribute-value.ts';
import { readUnits } from '../capacity.ts';
import { type Cost, freeOfCharge } from '../costs.ts';
import { bindProjection } from '../expressions/bind-projection.ts';
import { type PlaceholderFields, Placeholders } from '../expressions/placeholders.ts';
import { checkedKey } from '../item-checks.ts';
import { itemSize } from '../item-size.ts';
import { type Answered, requireTable, type Store } from '../operation.ts';
import { requireParameters } from '../parameters.ts';
import type { StoredTable } from '../stored-table.ts';
import { invalid } from '../table-error.ts';
import { requireDistinct } from './require-distinct.ts';

type ReadFields = PlaceholderFields & {
  readonly ConsistentRead?: boolean;
  readonly ProjectionExpression?: string;
};

type GetRequest = ReadFields & { readonly TableName: string; readonly Key: Item };

type KeysRequest = ReadFields & { readonly Keys: readonly Item[] };

export type BatchGetRequest = { readonly RequestItems: Readonly<Record<string, KeysRequest>> };

type Found = {
  readonly key: Item;
  /** Contains only the requested attributes. */
  readonly item: Item | undefined;
  readonly bytes: number;
  readonly cost: Cost;
};

const maxBatchKeys = 100;
const maxBatchBytes = 16 * 1_024 * 1_024;

export function getItem(store: Store, request: GetRequest): Answered {
  const table = requireTable(store, request.TableName);
  const { item, cost } = reader(table, request)(request.Key);

  return { output: item ? { Item: item } : {}, costs: () => [cost] };
}

export function batchGetItem(store: Store, { RequestItems }: BatchGetRequest): Answered {
  const requests = Object.entries(RequestItems);
  const keys = requests.flatMap(([, request]) => {
    requireParameters('keys of a BatchGetItem', request);

    return request.Keys;
  });
  if (keys.length === 0) {
    throw invalid('BatchGetItem must have some requests set');
  }
  if (keys.length > maxBatchKeys) {
    throw invalid('Too many items requested for the BatchGetItem call');
  }
  const responses: Record<string, Item[]> = {};
  const unprocessed: Record<string, KeysRequest> = {};
  const costs: Cost[] = [];
  let bytes = 0;
  for (const [name, request] of requests) {
    const found = readAll(requireTable(store, name), request);
    const fitting = found.filter((one) => {
      bytes += one.bytes;

      return bytes <= maxBatchBytes;
    });
    responses[name] = fitting.map(({ item }) => item).filter((item) => item !== undefined);
    costs.push(...fitting.map(({ cost }) => cost));
    if (fitting.length < found.length) {
      const Keys = found.slice(fitting.length).map(({ key }) => key);
      unprocessed[name] = { ...request, Keys };
    }
  }

  return {
    output: { Responses: responses, UnprocessedKeys: unprocessed },
    costs: () => costs,
  };
}

function readAll(table: StoredTable, request: KeysRequest): readonly Found[] {
  const found = request.Keys.map(reader(table, request));
  requireDistinct(
    found.map(({ key }) => ({ table, key })),
    'Provided list of item keys contains duplicates',
  );

  return found;
}

/** Checks the parameters that several keys share, and returns a function that reads one key. */
function reader(table: StoredTable, request: ReadFields): (key: Item) => Found {
  const { ProjectionExpression, ConsistentRead = false } = request;
  const placeholders = new Placeholders(request, ProjectionExpression !== undefined);
  const { project } = bindProjection(ProjectionExpression, placeholders);
  placeholders.requireAllUsed();

  return (given) => {
    const key = checkedKey(table, given);
    const item = table.get(key, !ConsistentRead);
    const bytes = itemSize(item);
    const units = readUnits(bytes, ConsistentRead ? 'strong' : 'eventual');

    return {
      key,
      item: item && project(item),
      bytes,
      cost: { ...freeOfCharge, table, readUnits: units },
    };
  };
}
