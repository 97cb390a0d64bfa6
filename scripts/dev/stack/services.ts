import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type Sandbox, startSandbox } from '#packages/sandbox/src/sandbox.ts';
import { workers } from '#schemas/index.ts';
import { startTable } from '#scripts/dev/table/start-table.ts';
import type { AwsEmulator, AwsEmulatorOptions } from './aws-emulator.ts';
import { createTable } from './create-table.ts';
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
  readonly close: () => Promise<void>;
};

export type ServiceOptions = {
  /** 0 picks a free port. */
  readonly ports: ServicePorts;
  /** Overrides the defaults of `.env.example`. */
  readonly settings?: Settings;
  /** The URL of the service that the sandbox's networks send events to. */
  readonly serviceUrl?: string;
};

type RunningDatabase = { readonly url: string; readonly close: () => Promise<void> };

/** Starts the service's dependencies in parallel: the table, the queues and the sandbox. */
export async function startServices(options: ServiceOptions): Promise<Services> {
  const settings: Settings = { ...defaultSettings(), ...options.settings };
  const parts = await startTogether({
    database: startDatabase(options, settings),
    aws: startQueues(options, settings),
    sandbox: startLocalSandbox(options, settings),
  });

  return {
    addresses: { dynamodb: parts.database.url, aws: parts.aws.url, sandbox: parts.sandbox.url },
    close: () => closeTogether(Object.values(parts)),
  };
}

async function startDatabase(
  { ports }: ServiceOptions,
  settings: Settings,
): Promise<RunningDatabase> {
  const tableName = settings.TABLE_NAME ?? '';
  if (settings.DYNAMODB_ENDPOINT) {
    await createMissingTable(settings.DYNAMODB_ENDPOINT, tableName);

    return { url: settings.DYNAMODB_ENDPOINT, close: async () => {} };
  }
  const port = await listeningPort(ports.dynamodb, 'DYNAMODB_PORT');
  const table = await startTable({ port, dataDir: settings.DATA_DIR });
  await createTable(table.url, tableName);

  return table;
}

/** On AWS, the deployment creates the table. */
async function createMissingTable(endpoint: string, tableName: string): Promise<void> {
  if (!isAwsItself(endpoint)) {
    await createTable(endpoint, tableName);
  }
}

async function startQueues({ ports, serviceUrl }: ServiceOptions, settings: Settings) {
  if (settings.SQS_ENDPOINT && settings.S3_ENDPOINT) {
    return { url: settings.SQS_ENDPOINT, close: async () => {} };
  }

  return startInThread({
    port: ports.aws,
    stage: settings.STAGE ?? '',
    region: settings.AWS_REGION ?? '',
    workers,
    bucket: settings.FILES_BUCKET ?? '',
    uploadOrigins: (settings.ALLOWED_ORIGINS ?? serviceUrl ?? '').split(','),
  });
}

/** Joining the parts of a gigabyte takes seconds, in which the table and the sandbox must answer. */
async function startInThread(options: AwsEmulatorOptions): Promise<AwsEmulator> {
  const thread = new Worker(new URL('./aws-emulator-thread.ts', import.meta.url), {
    workerData: options,
  });
  const [url] = await once(thread, 'message');

  return {
    url: String(url),
    close: async () => {
      await thread.terminate();
    },
  };
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
