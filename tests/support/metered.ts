import { documentClient } from '#lib/platform/db/client.ts';

type Consumed = { readonly CapacityUnits?: number };

/** Runs a call and returns the capacity units it consumed, as reported by DynamoDB. */
export async function metered<T>(call: () => Promise<T>): Promise<{ result: T; units: number }> {
  let units = 0;
  const name = 'metered';
  documentClient.middlewareStack.add(
    (next) => async (sent) => {
      Object.assign(sent.input, { ReturnConsumedCapacity: 'TOTAL' });
      const answer = await next(sent);
      const { ConsumedCapacity = [] } = answer.output as {
        ConsumedCapacity?: Consumed | readonly Consumed[];
      };
      units += [ConsumedCapacity]
        .flat()
        .reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);

      return answer;
    },
    { step: 'initialize', name },
  );
  try {
    const result = await call();

    return { result, units };
  } finally {
    documentClient.middlewareStack.remove(name);
  }
}
