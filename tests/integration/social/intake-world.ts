import { startDynamoDbProxy } from '#scripts/dynamodb-proxy/start-dynamodb-proxy.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { storedItems } from '#tests/support/table.ts';

export type IntakeWorld = Awaited<ReturnType<typeof intakeWorld>>;

/** Creates an organization that receives events, and a DynamoDB proxy. */
export async function intakeWorld() {
  const proxy = await startDynamoDbProxy({ target: String(process.env.DYNAMODB_ENDPOINT) });
  const ada = await newAccount();

  /** Returns outbox items and claims of events that are pending or were processed. */
  async function storedEvents() {
    const partitions = (await storedItems(`ORG#${ada.organizationId}#EVENTS#`)).map(
      ({ pk, sk }) => ({
        pk,
        sk,
      }),
    );

    return partitions;
  }

  return { proxy, ada, storedEvents };
}
