import { randomUUID } from 'node:crypto';
import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { queueName } from '#schemas/contract.ts';
import { workers } from '#schemas/index.ts';
import { startSandbox } from '#scripts/sandbox/sandbox.ts';
import { createTable } from '#scripts/stack/create-table.ts';
import { networkAddresses } from '#scripts/stack/local-environment.ts';
import { localSecret } from '#scripts/stack/local-secret.ts';

export type OwnServices = {
  readonly environment: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
};

/**
 * A table, queues and a sandbox for one test file alone. Files run side by side: what one of them
 * breaks, sweeps or takes from a queue must not be another's.
 */
export async function startOwnServices(): Promise<OwnServices> {
  const suffix = randomUUID().slice(0, 8);
  const endpoint = String(process.env.DYNAMODB_ENDPOINT);
  const tableName = `${process.env.TABLE_NAME}-${suffix}`;
  const [sandbox, queueUrlPrefix] = await Promise.all([
    startSandbox({ port: 0, secrets: { [String(process.env.SECRET_ID)]: localSecret({}) } }),
    createQueues(suffix),
    createTable(endpoint, tableName),
  ]);

  return {
    environment: {
      TABLE_NAME: tableName,
      QUEUE_URL_PREFIX: queueUrlPrefix,
      SECRETS_MANAGER_ENDPOINT: sandbox.url,
      SES_ENDPOINT: sandbox.url,
      STRIPE_API_BASE: sandbox.url,
      OPENAI_BASE_URL: `${sandbox.url}/v1`,
      WEBHOOK_ALLOWED_ORIGINS: sandbox.url,
      ...networkAddresses(sandbox.url),
    },
    close: async () => {
      await Promise.all([sandbox.close(), deleteTable(endpoint, tableName)]);
    },
  };
}

/** DynamoDB Local reads the definitions of all its tables every few moments: hundreds would cost it half its time. */
async function deleteTable(endpoint: string, tableName: string): Promise<void> {
  const client = new DynamoDBClient({ endpoint });
  try {
    await client.send(new DeleteTableCommand({ TableName: tableName }));
  } finally {
    client.destroy();
  }
}

/** Redelivery and dead-letter queues are no matter of these tests: `drainWork` takes what is there. */
async function createQueues(suffix: string): Promise<string> {
  const endpoint = String(process.env.SQS_ENDPOINT);
  const client = new SQSClient({ endpoint });
  try {
    await Promise.all(
      workers.map((worker) =>
        client.send(
          new CreateQueueCommand({
            QueueName: `${suffix}-${queueName(worker)}`,
            Attributes: {
              VisibilityTimeout: String(worker.timeoutSeconds),
              ...(worker.inOrder ? { FifoQueue: 'true' } : {}),
            },
          }),
        ),
      ),
    );
  } finally {
    client.destroy();
  }

  return `${endpoint}/000000000000/${suffix}-`;
}
