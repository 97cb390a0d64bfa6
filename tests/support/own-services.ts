import { randomUUID } from 'node:crypto';
import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { queueName, visibilitySeconds } from '#schemas/contract.ts';
import { workers } from '#schemas/index.ts';
import { createTable } from '#scripts/dev/stack/create-table.ts';
import {
  googleCertsUrl,
  networkAddresses,
  sandboxWebsocket,
} from '#scripts/dev/stack/local-environment.ts';
import { localSecret } from '#scripts/dev/stack/local-secret.ts';
import { sandboxClient } from '#scripts/sandbox/client.ts';
import { startSandbox } from '#scripts/sandbox/sandbox.ts';

export type OwnServices = {
  readonly environment: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
};

/** Uses the environment's region and credentials, which give each worker its own database. */
const asThisWorker = {};

let sandboxUrl: Promise<string> | undefined;

/**
 * Creates a table, queues and an empty sandbox for one test file. Files run concurrently and must
 * not share what they break, sweep or receive. The sandbox belongs to the worker and keeps its URL,
 * because clients created at load time outlive a file.
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
      GOOGLE_CERTS_URL: googleCertsUrl(sandbox),
      WEBHOOK_ALLOWED_ORIGINS: sandbox,
      ...networkAddresses(sandbox),
      WEBSOCKET_URL: sandboxWebsocket(sandbox),
    },
    close: () => deleteTable(endpoint, tableName),
  };
}

async function startWorkersSandbox(): Promise<string> {
  const secrets = { [String(process.env.SECRET_ID)]: localSecret({}) };

  return (await startSandbox({ port: 0, secrets })).url;
}

/**
 * DynamoDB Local regularly reads the definitions of all tables. Hundreds of them would take half of
 * its time.
 */
async function deleteTable(endpoint: string, tableName: string): Promise<void> {
  const client = new DynamoDBClient({ endpoint });
  try {
    await client.send(new DeleteTableCommand({ TableName: tableName }));
  } finally {
    client.destroy();
  }
}

/** Without dead-letter queues, because `drainWork` takes only what is there. */
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
              VisibilityTimeout: String(visibilitySeconds(worker)),
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
