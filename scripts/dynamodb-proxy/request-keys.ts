import type { AttributeValue, Item } from '#scripts/dev/table/attribute-value.ts';
import type { Named, RequestBody } from './wire.ts';

/**
 * Returns the keys in a request, as `pk/sk`. For a query, returns the values of its key condition.
 */
export function requestKeys(body: RequestBody): readonly string[] {
  const { KeyConditionExpression: condition, ExpressionAttributeValues: values = {} } = body;
  if (condition === undefined) {
    return namedItems(body).map(({ pk, sk }) => `${textOf(pk)}/${textOf(sk)}`);
  }
  const placeholders = condition.match(/:\w+/g) ?? [];

  return [placeholders.map((placeholder) => textOf(values[placeholder])).join('/')];
}

/** Returns the keys of a request, and the whole items of its puts. */
function namedItems(body: RequestBody): readonly Item[] {
  const { RequestItems = {}, TransactItems = [] } = body;
  const batched = Object.values(RequestItems).flatMap((entry): readonly Named[] =>
    'Keys' in entry
      ? entry.Keys.map((Key) => ({ Key }))
      : entry.flatMap(({ PutRequest, DeleteRequest }) => PutRequest ?? DeleteRequest ?? []),
  );
  const transacted = TransactItems.flatMap((entry) => Object.values(entry));

  return [body, ...batched, ...transacted]
    .map(({ Key, Item }) => Key ?? Item)
    .filter((item) => item !== undefined);
}

function textOf(value: AttributeValue | undefined): string {
  return value?.S ?? value?.N ?? value?.B ?? '';
}
