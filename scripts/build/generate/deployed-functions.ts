import {
  areaOf,
  defaultTimeoutSeconds,
  type EndpointRole,
  type JobDefinition,
  kebabCase,
  maxConcurrencyOf,
  routePath,
  type WorkerDefinition,
} from '#schemas/contract.ts';
import type { Registry } from './registry.ts';
import { maxEventAgeSeconds } from './schedule.ts';

/** A function's permissions. Each value is a role in serverless.yml. */
export type FunctionRole =
  | EndpointRole
  | NonNullable<WorkerDefinition['role']>
  | NonNullable<JobDefinition['role']>;

export type FunctionEvent =
  | { readonly kind: 'route'; readonly method: string; readonly path: string }
  | { readonly kind: 'otherRoutes' }
  | { readonly kind: 'connections' }
  | { readonly kind: 'queue'; readonly batchSize: number; readonly maxConcurrency: number }
  | {
      readonly kind: 'schedule';
      readonly schedule: string;
      readonly maxEventAgeSeconds: number;
    };

/** A Lambda function. Its source is `functions/<folder>/<name>.ts`. */
export type DeployedFunction = {
  readonly name: string;
  readonly folder: string;
  readonly description: string;
  readonly role: FunctionRole;
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  readonly assets: readonly string[];
  readonly usesPlans: boolean;
  readonly usesWebsocket: boolean;
  readonly event: FunctionEvent;
};

const defaultMemoryMb = 1024;

/** Handles routes that no contract declares. It is not an endpoint, so it has no contract. */
const unknownRoute: DeployedFunction = {
  name: 'unknown-route',
  folder: 'docs',
  description: 'Answers requests that match no route, and CORS preflights.',
  role: 'static',
  memoryMb: defaultMemoryMb,
  timeoutSeconds: defaultTimeoutSeconds,
  assets: [],
  usesPlans: false,
  usesWebsocket: false,
  event: { kind: 'otherRoutes' },
};

/** Handles the WebSocket API. It has no contract, because clients only open connections. */
const liveConnections: DeployedFunction = {
  name: 'live-connections',
  folder: 'live',
  description: 'Opens and closes the WebSocket connections of live updates.',
  role: 'sender',
  memoryMb: defaultMemoryMb,
  timeoutSeconds: defaultTimeoutSeconds,
  assets: [],
  usesPlans: false,
  usesWebsocket: false,
  event: { kind: 'connections' },
};

/** Every function of the service. Names must be unique because all functions share one account. */
export function deployedFunctions(registry: Registry): readonly DeployedFunction[] {
  const functions = [
    ...endpointFunctions(registry),
    unknownRoute,
    liveConnections,
    ...workerFunctions(registry),
    ...jobFunctions(registry),
  ];
  refuseDuplicates(functions);

  return functions;
}

function endpointFunctions({ endpoints }: Registry): readonly DeployedFunction[] {
  return endpoints.map((endpoint) => ({
    name: kebabCase(endpoint.operationId),
    folder: areaOf(endpoint),
    description: endpoint.summary,
    role: endpoint.role ?? (endpoint.method === 'GET' ? 'read' : 'api'),
    memoryMb: endpoint.memoryMb ?? defaultMemoryMb,
    timeoutSeconds: endpoint.timeoutSeconds ?? defaultTimeoutSeconds,
    assets: endpoint.assets ?? [],
    usesPlans: endpoint.usesPlans ?? false,
    usesWebsocket: endpoint.usesWebsocket ?? false,
    event: { kind: 'route', method: endpoint.method, path: routePath(endpoint) },
  }));
}

function workerFunctions({ workers }: Registry): readonly DeployedFunction[] {
  return workers.map((worker) => ({
    name: worker.name,
    folder: 'workers',
    description: worker.description,
    role: worker.role ?? 'worker',
    memoryMb: worker.memoryMb ?? defaultMemoryMb,
    timeoutSeconds: worker.timeoutSeconds,
    assets: worker.assets ?? [],
    usesPlans: worker.usesPlans ?? false,
    usesWebsocket: worker.usesWebsocket ?? false,
    event: {
      kind: 'queue',
      batchSize: worker.batchSize,
      maxConcurrency: maxConcurrencyOf(worker),
    },
  }));
}

function jobFunctions({ jobs }: Registry): readonly DeployedFunction[] {
  return jobs.map((job) => ({
    name: job.name,
    folder: 'jobs',
    description: job.description,
    role: job.role ?? 'job',
    memoryMb: job.memoryMb ?? defaultMemoryMb,
    timeoutSeconds: job.timeoutSeconds,
    assets: [],
    usesPlans: job.usesPlans ?? false,
    usesWebsocket: false,
    event: {
      kind: 'schedule',
      schedule: job.schedule,
      maxEventAgeSeconds: maxEventAgeSeconds(job),
    },
  }));
}

function refuseDuplicates(functions: readonly DeployedFunction[]): void {
  const seen = new Set<string>();
  for (const { name } of functions) {
    if (seen.has(name)) {
      throw new Error(`Two functions have the name ${name}`);
    }
    seen.add(name);
  }
}
