import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { workers } from '#schemas/index.ts';
import { type Sandbox, startSandbox } from '#scripts/sandbox/sandbox.ts';
import { startAwsEmulator } from './aws-emulator.ts';
import { createTable } from './create-table.ts';
import { startDynamoDbLocal } from './dynamodb-local.ts';
import { listeningPort } from './listening-port.ts';
import { localSecret } from './local-secret.ts';
import { defaultSettings, isAwsItself, type Settings } from './settings.ts';
import { closeTogether, startTogether } from './start-together.ts';

export type ServicePorts = {
  readonly dynamodb: number;
  readonly aws: number;
  readonly sandbox: number;
};

export type Services = {
  readonly addresses: {
    readonly dynamodb: string;
    readonly aws: string;
    readonly sandbox: string;
  };
  /** Resolves with one line when a part ends unexpectedly. */
  readonly lost: Promise<string>;
  readonly close: () => Promise<void>;
};

export type ServiceOptions = {
  /** 0 picks a free port. */
  readonly ports: ServicePorts;
  /** Overrides the defaults of `.env.example`. */
  readonly settings?: Settings;
  /** The URL of the service that the sandbox's networks send events to. */
  readonly serviceUrl?: string;
  /** The database will be under constant load for minutes, from several access keys. */
  readonly isBusy?: boolean;
};

type RunningDatabase = {
  readonly url: string;
  readonly process?: ChildProcess;
  readonly close: () => Promise<void>;
};

/** Starts the service's dependencies in parallel: the table, the queues and the sandbox. */
export async function startServices(options: ServiceOptions): Promise<Services> {
  const settings: Settings = { ...defaultSettings(), ...options.settings };
  const parts = await startTogether({
    database: startDatabase(options, settings),
    aws: startQueues(options.ports.aws, settings),
    sandbox: startLocalSandbox(options, settings),
  });

  return {
    addresses: { dynamodb: parts.database.url, aws: parts.aws.url, sandbox: parts.sandbox.url },
    lost: lossOf(parts.database),
    close: () => closeTogether(Object.values(parts)),
  };
}

async function startDatabase(
  { ports, isBusy = false }: ServiceOptions,
  settings: Settings,
): Promise<RunningDatabase> {
  const tableName = settings.TABLE_NAME ?? '';
  if (settings.DYNAMODB_ENDPOINT) {
    await createMissingTable(settings.DYNAMODB_ENDPOINT, tableName);

    return { url: settings.DYNAMODB_ENDPOINT, close: async () => {} };
  }
  const dataDir = settings.DATA_DIR;
  const database = await startDynamoDbLocal({
    port: ports.dynamodb,
    isBusy,
    ...(dataDir ? { dataDir } : {}),
  });
  try {
    await createTable(database.endpoint, tableName);
  } catch (error) {
    await database.close();
    throw error;
  }

  return { url: database.endpoint, process: database.process, close: database.close };
}

/** On AWS, the deployment creates the table. */
async function createMissingTable(endpoint: string, tableName: string): Promise<void> {
  if (!isAwsItself(endpoint)) {
    await createTable(endpoint, tableName);
  }
}

async function startQueues(port: number, settings: Settings) {
  if (settings.SQS_ENDPOINT && settings.S3_ENDPOINT) {
    return { url: settings.SQS_ENDPOINT, close: async () => {} };
  }

  return startAwsEmulator({
    port,
    stage: settings.STAGE ?? '',
    region: settings.AWS_REGION ?? '',
    workers,
    bucket: settings.FILES_BUCKET ?? '',
  });
}

async function startLocalSandbox(
  { ports, serviceUrl }: ServiceOptions,
  settings: Settings,
): Promise<Sandbox> {
  return startSandbox({
    port: await listeningPort(ports.sandbox, 'SANDBOX_PORT'),
    ...(serviceUrl === undefined ? {} : { serviceUrl }),
    secrets: { [settings.SECRET_ID ?? '']: localSecret(settings) },
    ...(settings.GOOGLE_CLIENT_ID ? { googleClientId: settings.GOOGLE_CLIENT_ID } : {}),
  });
}

async function lossOf(database: RunningDatabase): Promise<string> {
  if (!database.process) {
    return new Promise(() => {});
  }
  await once(database.process, 'exit');

  return 'DynamoDB Local exited.';
}
