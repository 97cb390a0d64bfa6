import { isLongWork } from '#schemas/contract.ts';
import {
  type DeployedFunction,
  deployedFunctions,
  type FunctionRole,
} from './deployed-functions.ts';
import { type GeneratedFile, generatedNotice } from './generated-file.ts';
import { queueLogicalId } from './queues-yml.ts';
import type { Registry } from './registry.ts';

const roleLogicalIds: Readonly<Record<FunctionRole, string>> = {
  read: 'ReadRole',
  api: 'ApiRole',
  sender: 'SenderRole',
  fileSender: 'FileSenderRole',
  health: 'HealthRole',
  static: 'StaticRole',
  files: 'FilesRole',
  upload: 'UploadRole',
  worker: 'WorkerRole',
  tableWorker: 'TableWorkerRole',
  fileWorker: 'FileWorkerRole',
  mail: 'MailRole',
  webhooks: 'WebhooksRole',
  live: 'LiveRole',
  job: 'JobRole',
  sweep: 'SweepRole',
  watch: 'WatchRole',
};

/** Each role may write to one log group. */
const logGroups: Readonly<Record<DeployedFunction['event']['kind'], string>> = {
  route: 'api',
  otherRoutes: 'api',
  connections: 'api',
  queue: 'workers',
  schedule: 'jobs',
};

/**
 * Allows a function to send unfinished work to its own queue repeatedly. By default, Lambda stops
 * such a loop after 16 invocations. A loop is inexpensive, because each round uses a function's
 * full working time or waits for minutes.
 */
const selfCalling = '\n  recursiveLoop: Allow';

/**
 * A failed run is not retried, because the next run does its work, and a retry could overlap with
 * it. The packaging applies the same limits to the schedule.
 */
function retryLines(maxEventAgeSeconds: number): string {
  return `\n  maximumRetryAttempts: 0\n  maximumEventAge: ${maxEventAgeSeconds}`;
}

/**
 * Only in functions that use it, because twelve plans in every function would exceed the size of a
 * template.
 */
const plansVariables = `
    BILLING_PLANS: \${param:billingPlans}
    NETWORK_CALL_PRICES: \${param:networkCallPrices}`;

const websocketVariable = `
    WEBSOCKET_URL: \${param:websocketUrl}`;

const concurrencyVariable = `
    WORKER_CONCURRENCY_PERCENT: \${self:custom.workerConcurrencyPercent}`;

function environmentLines(definition: DeployedFunction): string {
  const { usesPlans, usesWebsocket, event } = definition;
  const variables = [
    ...(usesPlans ? [plansVariables] : []),
    ...(usesWebsocket ? [websocketVariable] : []),
    ...(event.kind === 'queue' && isLongWork(definition) ? [concurrencyVariable] : []),
  ].join('');

  return variables && `\n  environment:${variables}`;
}

/** Generates one `functions.yml` for each folder under functions/. serverless.yml includes them. */
export function generateFunctionsYml(registry: Registry): readonly GeneratedFile[] {
  const byFolder = Map.groupBy(deployedFunctions(registry), ({ folder }) => folder);

  return [...byFolder].map(([folder, functions]) => ({
    path: `functions/${folder}/functions.yml`,
    content: `${generatedNotice}\n${functions.map(entry).join('\n')}`,
  }));
}

function entry(definition: DeployedFunction): string {
  const { name, folder, description, role, memoryMb, timeoutSeconds, event } = definition;
  const recursion = event.kind === 'queue' ? selfCalling : '';
  const retries = event.kind === 'schedule' ? retryLines(event.maxEventAgeSeconds) : '';
  const environment = environmentLines(definition);

  return `${name}:
  name: social-leads-\${sls:stage}-${name}
  description: ${quoted(description)}
  handler: functions/${folder}/${name}.handler
  role: ${roleLogicalIds[role]}
  memorySize: ${memoryMb}
  timeout: ${timeoutSeconds}${recursion}${retries}${environment}
  disableLogs: true
  logs:
    logGroup: /social-leads/\${sls:stage}/${logGroups[definition.event.kind]}
  events:
${eventLines(definition)}
`;
}

function eventLines({ name, event }: DeployedFunction): string {
  switch (event.kind) {
    case 'route':
      return `    - httpApi:
        method: ${event.method}
        path: ${event.path}`;
    case 'otherRoutes':
      return '    - httpApi: "*"';
    case 'connections':
      return `    - websocket: $connect
    - websocket: $disconnect
    - websocket: $default`;
    case 'queue':
      return `    - sqs:
        arn:
          Fn::GetAtt: [${queueLogicalId(name)}, Arn]
        batchSize: ${event.batchSize}
        maximumConcurrency: ${event.maxConcurrency}
        functionResponseType: ReportBatchItemFailures`;
    case 'schedule':
      return `    - schedule:
        method: scheduler
        rate:
          - ${event.schedule}
        roleArn:
          Fn::GetAtt: [InvocationRole, Arn]`;
  }
}

/** JSON strings are valid YAML. The framework would interpret `\${` as a variable. */
function quoted(text: string): string {
  if (text.includes('${')) {
    throw new Error(`A description must not contain \${: ${text}`);
  }

  return JSON.stringify(text);
}
