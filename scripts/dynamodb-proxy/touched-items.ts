import { keyText, pickAttributes, scalarText, type TableSchema } from './table-schema.ts';
import type { Item, KeysAndAttributes, Request, TransactItem, WriteRequest } from './wire.ts';

/** An item that a request names by key, and the action on it. */
export type Touch = {
  readonly action: 'get' | 'put' | 'update' | 'delete' | 'check';
  readonly table: string;
  readonly schema: TableSchema;
  readonly key: Item;
  readonly keyText: string;
  readonly isConsistent: boolean;
  /** The new item of a put. */
  readonly item?: Item;
};

export type Schemas = ReadonlyMap<string, TableSchema>;

type RawTouch = Pick<Touch, 'action' | 'table'> & {
  /** The key, or the whole item of a put. */
  readonly holder: Item;
  readonly isConsistent?: boolean;
};

const singleActions: { readonly [operation: string]: Touch['action'] } = {
  GetItem: 'get',
  PutItem: 'put',
  UpdateItem: 'update',
  DeleteItem: 'delete',
};

/** The names of a request's tables. */
export function namedTables({ body }: Request): readonly string[] {
  const tables = [
    ...(body.TableName === undefined ? [] : [body.TableName]),
    ...Object.keys(body.RequestItems ?? {}),
    ...(body.TransactItems ?? []).flatMap(transactTouch).map((touch) => touch.table),
  ];

  return [...new Set(tables)];
}

/** The items that a request names by key. Empty for queries, scans and table operations. */
export function touchedItems(request: Request, schemas: Schemas): readonly Touch[] {
  return rawTouches(request).flatMap(({ holder, ...touch }) => {
    const schema = schemas.get(touch.table);
    if (schema === undefined) {
      return [];
    }
    const written = touch.action === 'put' ? { item: holder } : {};

    return [
      {
        isConsistent: false,
        ...touch,
        ...written,
        schema,
        key: pickAttributes(holder, schema.keyNames),
        keyText: keyText(schema, holder),
      },
    ];
  });
}

/** A request's keys as text, `pk/sk`. For a query, its key condition. */
export function keyTexts(request: Request, touches: readonly Touch[]): readonly string[] {
  const { KeyConditionExpression: condition, ExpressionAttributeValues: values } = request.body;
  if (condition === undefined || values === undefined) {
    return touches.map((touch) => touch.keyText);
  }
  const placeholders = condition.match(/:\w+/g) ?? [];

  return [placeholders.map((placeholder) => scalarText(values[placeholder])).join('/')];
}

function rawTouches({ operation, body }: Request): readonly RawTouch[] {
  const action = singleActions[operation];
  const holder = body.Item ?? body.Key;
  if (action !== undefined && holder !== undefined && body.TableName !== undefined) {
    return [{ action, table: body.TableName, holder, isConsistent: body.ConsistentRead === true }];
  }
  if (body.RequestItems !== undefined) {
    return Object.entries(body.RequestItems).flatMap(([table, entry]) =>
      batchTouches(table, entry),
    );
  }

  return (body.TransactItems ?? []).flatMap(transactTouch);
}

function batchTouches(
  table: string,
  entry: KeysAndAttributes | readonly WriteRequest[],
): readonly RawTouch[] {
  if ('Keys' in entry) {
    const isConsistent = entry.ConsistentRead === true;

    return entry.Keys.map((holder) => ({ action: 'get', table, holder, isConsistent }));
  }

  return entry.flatMap(({ PutRequest, DeleteRequest }): readonly RawTouch[] => {
    const put = PutRequest && { action: 'put' as const, table, holder: PutRequest.Item };
    const remove = DeleteRequest && { action: 'delete' as const, table, holder: DeleteRequest.Key };

    return [put, remove].filter((touch) => touch !== undefined);
  });
}

function transactTouch(entry: TransactItem): readonly RawTouch[] {
  const { Get, Put, Update, Delete, ConditionCheck } = entry;
  const keyed = [
    ['get', Get],
    ['update', Update],
    ['delete', Delete],
    ['check', ConditionCheck],
  ] as const;
  const touches = keyed.flatMap(([action, target]) =>
    target === undefined ? [] : [{ action, table: target.TableName, holder: target.Key }],
  );

  return Put === undefined
    ? touches
    : [...touches, { action: 'put', table: Put.TableName, holder: Put.Item }];
}
