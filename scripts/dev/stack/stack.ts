import { once } from 'node:events';
import type { SQSClientConfig } from '@aws-sdk/client-sqs';
import { queueName, visibilitySeconds, type WorkerDefinition } from '#schemas/contract.ts';
import { workers } from '#schemas/index.ts';
import { includedFiles, writeStaleFiles } from '#scripts/build/generate/generated-files.ts';
import { buildWeb, watchWeb } from '#scripts/build/web/build-web.ts';
import { projectPath } from '#scripts/project.ts';
import { freePorts } from './free-ports.ts';
import { type Functions, startFunctions } from './functions-process.ts';
import { listeningPort } from './listening-port.ts';
import { type Addresses, foreignEnvironment, localEnvironment } from './local-environment.ts';
import { startQueuePoller } from './queue-poller.ts';
import { startServices } from './services.ts';
import { defaultSettings, portSetting, type Settings } from './settings.ts';
import { closeTogether, startTogether } from './start-together.ts';

export type StackPorts = {
  readonly api: number;
  readonly lambda: number;
  readonly dynamodb: number;
  readonly aws: number;
  readonly sandbox: number;
  readonly websocket: number;
};

export type StackOptions = {
  /** 0 picks a free port. */
  readonly ports: StackPorts;
  /** Overrides the defaults of `.env.example`. */
  readonly settings?: Settings;
  readonly workers?: readonly WorkerDefinition[];
  readonly verbose?: boolean;
  /** True if the web app is rebuilt when a source changes. */
  readonly watchesWeb?: boolean;
  /** Called with each line that the functions print and each problem of the queues. */
  readonly onLine?: (line: string) => void;
};

export type Stack = {
  readonly addresses: Required<Addresses> & { readonly lambda: string };
  /** The environment that the functions run in. */
  readonly environment: Readonly<Record<string, string>>;
  /** Resolves with one line when a part ends unexpectedly. */
  readonly lost: Promise<string>;
  /** Stops all parts and waits until they have exited. */
  readonly close: () => Promise<void>;
};

type Part = { readonly close: () => Promise<void> };

/** Starts the service with all its dependencies. If a part fails to start, stops the others. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const settings: Settings = { ...defaultSettings(), ...options.settings };
  const ports = await reservePorts(options.ports, settings);
  const inspectPort = await reserveInspectPort(settings);
  const addresses = addressesOf(ports, settings);
  const environment = localEnvironment(addresses, settings);
  writeStaleFiles(includedFiles());
  const { web, services, functions } = await startTogether({
    web: options.watchesWeb ? watchWeb() : buildWeb().then(() => ({ close: async () => {} })),
    services: startServices({ ports, settings, serviceUrl: addresses.api }),
    functions: startFunctions({
      apiPort: ports.api,
      lambdaPort: ports.lambda,
      websocketPort: ports.websocket,
      inspectPort,
      environment: { ...foreignEnvironment(), ...environment },
      stage: environment.STAGE ?? '',
      region: environment.AWS_REGION ?? '',
      serviceFolder: projectPath(),
      verbose: options.verbose ?? false,
      onLine: options.onLine ?? (() => {}),
    }),
  });
  const pollers = startPollers(addresses.lambda, environment, options);

  return {
    addresses,
    environment,
    lost: lossOf(functions),
    close: () => closeInOrder([pollers, [functions], [services, web]]),
  };
}

/** Throws before starting anything if a required port is in use. */
function reservePorts(wanted: StackPorts, settings: Settings): Promise<StackPorts> {
  const isReplaced = {
    dynamodb: Boolean(settings.DYNAMODB_ENDPOINT),
    aws: Boolean(settings.SQS_ENDPOINT && settings.S3_ENDPOINT),
  };

  return freePorts({
    api: { port: wanted.api, variable: 'PORT' },
    lambda: { port: wanted.lambda, variable: 'LAMBDA_PORT' },
    dynamodb: { port: isReplaced.dynamodb ? 0 : wanted.dynamodb, variable: 'DYNAMODB_PORT' },
    aws: { port: isReplaced.aws ? 0 : wanted.aws, variable: 'AWS_PORT' },
    sandbox: { port: wanted.sandbox, variable: 'SANDBOX_PORT' },
    websocket: { port: wanted.websocket, variable: 'WEBSOCKET_PORT' },
  });
}

async function reserveInspectPort(settings: Settings): Promise<number | undefined> {
  return settings.INSPECT_PORT
    ? listeningPort(portSetting(settings, 'INSPECT_PORT'), 'INSPECT_PORT')
    : undefined;
}

function addressesOf(ports: StackPorts, settings: Settings): Stack['addresses'] {
  const local = (port: number) => `http://localhost:${port}`;

  return {
    api: local(ports.api),
    lambda: local(ports.lambda),
    dynamodb: settings.DYNAMODB_ENDPOINT ?? local(ports.dynamodb),
    aws: settings.SQS_ENDPOINT ?? local(ports.aws),
    sandbox: local(ports.sandbox),
    websocket: `ws://localhost:${ports.websocket}`,
  };
}

function startPollers(
  lambdaUrl: string,
  environment: Readonly<Record<string, string>>,
  options: StackOptions,
): Part[] {
  return (options.workers ?? workers).map((worker) =>
    startQueuePoller({
      sqs: sqsConfig(environment),
      lambdaUrl,
      region: environment.AWS_REGION ?? '',
      queueUrl: `${environment.QUEUE_URL_PREFIX}${queueName(worker)}`,
      functionName: `social-leads-${environment.STAGE}-${worker.name}`,
      batchSize: worker.batchSize,
      visibilitySeconds: visibilitySeconds(worker),
      onProblem: options.onLine ?? (() => {}),
    }),
  );
}

function sqsConfig(environment: Readonly<Record<string, string>>): SQSClientConfig {
  const {
    SQS_ENDPOINT: endpoint = '',
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
    AWS_PROFILE: profile,
  } = environment;
  if (accessKeyId && secretAccessKey) {
    const session = sessionToken ? { sessionToken } : {};

    return { endpoint, credentials: { accessKeyId, secretAccessKey, ...session } };
  }

  return { endpoint, ...(profile ? { profile } : {}) };
}

/** Stops callers before the parts that they call, so that nothing fails during shutdown. */
async function closeInOrder(groups: readonly (readonly Part[])[]): Promise<void> {
  for (const parts of groups) {
    await closeTogether(parts);
  }
}

async function lossOf(functions: Functions): Promise<string> {
  const [code] = await once(functions.process, 'exit');

  return `The functions exited with code ${code}.`;
}
