import { randomUUID } from 'node:crypto';
import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { queueName } from '#schemas/contract.ts';
import { workers } from '#schemas/index.ts';
import { createTable } from '#scripts/dev/stack/create-table.ts';
import { networkAddresses } from '#scripts/dev/stack/local-environment.ts';
import { localSecret } from '#scripts/dev/stack/local-secret.ts';
import { sandboxClient } from '#scripts/sandbox/client.ts';
import { startSandbox } from '#scripts/sandbox/sandbox.ts';

export type OwnServices = {
  readonly environment: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
};

/** With the region and the credentials of the environment: each worker has a database of its own by them. */
const asThisWorker = {};

let sandboxUrl: Promise<string> | undefined;

/**
 * A table, queues and an empty sandbox for one test file alone. Files run side by side: what one of
 * them breaks, sweeps or takes from a queue must not be another's. The sandbox is the worker's, and
 * keeps its address: clients that are made as modules load outlive a file.
 */
export async function startOwnServices(): Promise<OwnServices> {
  const suffix = randomUUID().slice(0, 8);
  const endpoint = String(process.env.DYNAMODB_ENDPOINT);
  const tableName = `${process.env.TABLE_NAME}-${suffix}`;
  sandboxUrl ??= startWorkersSandbox();
  const [sandbox, queueUrlPrefix] = await Promise.all([
    sandboxUrl,
    createQueues(suffix),
    createTable(endpoint, tableName, asThisWorker),
  ]);
  await sandboxClient(sandbox).reset();

  return {
    environment: {
      TABLE_NAME: tableName,
      QUEUE_URL_PREFIX: queueUrlPrefix,
      SECRETS_MANAGER_ENDPOINT: sandbox,
      SES_ENDPOINT: sandbox,
      STRIPE_API_BASE: sandbox,
      OPENAI_BASE_URL: `${sandbox}/v1`,
      WEBHOOK_ALLOWED_ORIGINS: sandbox,
      ...networkAddresses(sandbox),
    },
    close: () => deleteTable(endpoint, tableName),
  };
}

async function startWorkersSandbox(): Promise<string> {
  const secrets = { [String(process.env.SECRET_ID)]: localSecret({}) };

  return (await startSandbox({ port: 0, secrets })).url;
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
