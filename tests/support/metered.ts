import { documentClient } from '#lib/platform/db/client.ts';
import { withoutFaults } from './own-table.ts';

type Consumed = { readonly CapacityUnits?: number };

type Metered<T> = {
  readonly result: T;
  /** The consumed capacity units, as reported by DynamoDB. */
  readonly units: number;
  /** The requests that were sent to DynamoDB, as JSON. */
  readonly requests: readonly string[];
};

/** Runs a call and returns its DynamoDB calls. */
export async function metered<T>(call: () => Promise<T>): Promise<Metered<T>> {
  let units = 0;
  const requests: string[] = [];
  const name = 'metered';
  documentClient.middlewareStack.add(
    (next) => async (sent) => {
      requests.push(JSON.stringify(sent.input));
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
    const result = await withoutFaults(call);

    return { result, units, requests };
  } finally {
    documentClient.middlewareStack.remove(name);
  }
}
