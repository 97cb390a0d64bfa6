import { type DeployedFunction, deployedFunctions } from './deployed-functions.ts';
import { type GeneratedFile, generatedNotice } from './generated-file.ts';
import { queueLogicalId } from './queues-yml.ts';
import type { Registry } from './registry.ts';

const roleLogicalIds = {
  api: 'ApiRole',
  static: 'StaticRole',
  files: 'FilesRole',
  worker: 'WorkerRole',
  job: 'JobRole',
} as const;

const logGroups = {
  api: 'api',
  static: 'api',
  files: 'api',
  worker: 'workers',
  job: 'jobs',
} as const;

/**
 * Work that is not finished goes into its own queue again, as often as that takes. After sixteen
 * times Lambda would take it for a loop, and end it. Each time is a function's whole time at work, or
 * minutes of waiting: what never ends costs little.
 */
const selfCalling = '\n  recursiveLoop: Allow';

/** One `functions.yml` for each folder under functions/, which serverless.yml puts together. */
export function generateFunctionsYml(registry: Registry): readonly GeneratedFile[] {
  const byFolder = Map.groupBy(deployedFunctions(registry), ({ folder }) => folder);

  return [...byFolder].map(([folder, functions]) => ({
    path: `functions/${folder}/functions.yml`,
    content: `${generatedNotice}\n${functions.map(entry).join('\n')}`,
  }));
}

function entry(definition: DeployedFunction): string {
  const { name, folder, description, role, memoryMb, timeoutSeconds } = definition;
  const recursion = role === 'worker' ? selfCalling : '';

  return `${name}:
  name: social-leads-\${sls:stage}-${name}
  description: ${quoted(description)}
  handler: functions/${folder}/${name}.handler
  role: ${roleLogicalIds[role]}
  memorySize: ${memoryMb}
  timeout: ${timeoutSeconds}${recursion}
  disableLogs: true
  logs:
    logGroup: /social-leads/\${sls:stage}/${logGroups[role]}
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

/** A string of JSON is one of YAML too. `\${` would be read as a variable of the framework. */
function quoted(text: string): string {
  if (text.includes('${')) {
    throw new Error(`A description must not contain \${: ${text}`);
  }

  return JSON.stringify(text);
}
