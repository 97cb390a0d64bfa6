import { randomUUID } from 'node:crypto';
import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { sandboxClient } from '#packages/sandbox/src/client.ts';
import { startSandbox } from '#packages/sandbox/src/sandbox.ts';
import { createTable } from '#scripts/dev/stack/create-table.ts';
import {
  googleCertsUrl,
  networkAddresses,
  sandboxWebsocket,
} from '#scripts/dev/stack/local-environment.ts';
import { localSecret } from '#scripts/dev/stack/local-secret.ts';
import { openQueues } from './in-process-queues.ts';

export type OwnServices = {
  readonly environment: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
};

/** Uses the environment's region and credentials, by which DynamoDB Local separates workers. */
const asThisWorker = {};

let sandboxUrl: Promise<string> | undefined;

/**
 * Creates a table, queues and an empty sandbox for one test file. Files run concurrently, so they
 * must not share what they break, sweep or receive. The sandbox belongs to the worker and keeps its
 * URL, because clients created at load time outlive a file.
 */
export async function startOwnServices(): Promise<OwnServices> {
  const endpoint = String(process.env.DYNAMODB_ENDPOINT);
  const tableName = `${process.env.TABLE_NAME}-${randomUUID().slice(0, 8)}`;
  sandboxUrl ??= startWorkersSandbox();
  const [sandbox, queues] = await Promise.all([
    sandboxUrl,
    openQueues(),
    createTable(endpoint, tableName, asThisWorker),
  ]);
  await sandboxClient(sandbox).reset();

  return {
    environment: {
      TABLE_NAME: tableName,
      SQS_ENDPOINT: queues.endpoint,
      QUEUE_URL_PREFIX: queues.urlPrefix,
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

async function deleteTable(endpoint: string, tableName: string): Promise<void> {
  const client = new DynamoDBClient({ endpoint });
  try {
    await client.send(new DeleteTableCommand({ TableName: tableName }));
  } finally {
    client.destroy();
  }
}
