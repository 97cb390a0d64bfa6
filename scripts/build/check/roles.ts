import { readFile } from 'node:fs/promises';
import { kebabCase } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import { callMcp } from '#schemas/mcp.ts';
import type { Bundle } from '#scripts/build/package/build.ts';
import type { Template } from '#scripts/build/package/template.ts';
import { statementsIn } from './template/find-wildcards.ts';

/** The actions that a command of an AWS client needs. Other commands need none. */
const actionsOfCommands: Readonly<Record<string, string>> = {
  'client-dynamodb/GetItem': 'dynamodb:GetItem',
  'client-dynamodb/BatchGetItem': 'dynamodb:BatchGetItem',
  'client-dynamodb/BatchWriteItem': 'dynamodb:BatchWriteItem',
  'client-dynamodb/Query': 'dynamodb:Query',
  'client-secrets-manager/GetSecretValue': 'secretsmanager:GetSecretValue',
  'client-sqs/SendMessage': 'sqs:SendMessage',
  'client-sqs/ChangeMessageVisibilityBatch': 'sqs:ChangeMessageVisibility',
  'client-sqs/GetQueueAttributes': 'sqs:GetQueueAttributes',
  'client-sesv2/SendEmail': 'ses:SendEmail',
  'client-apigatewaymanagementapi/PostToConnection': 'execute-api:ManageConnections',
  'client-apigatewaymanagementapi/DeleteConnection': 'execute-api:ManageConnections',
  'client-s3/PutObject': 's3:PutObject',
  'client-s3/GetObject': 's3:GetObject',
  'client-s3/UploadPartCopy': 's3:GetObject',
  'client-s3/AbortMultipartUpload': 's3:AbortMultipartUpload',
  'client-s3/ListObjectsV2': 's3:ListBucket',
  'client-s3/DeleteObjects': 's3:DeleteObject',
};

/** The actions of presigned requests, which callers make with the function's permissions. */
const actionsOfModules: Readonly<Record<string, string>> = {
  'lib/platform/storage/download-link.ts': 's3:GetObject',
  'lib/platform/storage/uploads.ts': 's3:PutObject',
  'lib/platform/storage/copy-file.ts': 's3:PutObject',
};

/**
 * All bundles contain the commands that write. The builders from `lib/platform/db/write.ts` that
 * bundling kept show which writes a function plans.
 */
const actionsOfWrites = [
  [/\bkind:"create"/, 'dynamodb:PutItem'],
  [/\bkind:"change"/, 'dynamodb:UpdateItem'],
  [/\bkind:"remove"/, 'dynamodb:DeleteItem'],
  [/\bkind:"ensure"/, 'dynamodb:ConditionCheckItem'],
] as const;

const command = /node_modules\/@aws-sdk\/(client-[\w-]+)\/.*\/commands\/(\w+)Command\.js$/;

/**
 * Actions that bundles do not call: event sources, logs, traces, and decrypting the secret. Roles
 * that write to the table share one statement, so its actions are not compared either.
 */
const notCompared =
  /^(?:logs|xray|kms|dynamodb):|^sqs:(?:ReceiveMessage|DeleteMessage|GetQueueAttributes)$/;

/** Every bundle contains the middleware, which makes no calls in functions with this role. */
const withoutCalls = 'StaticRole';

/**
 * The middleware of endpoints contains the removal of idempotency records, which only a POST has.
 * Functions with this role respond to GET, so the role does not allow it.
 */
const unreachable = { role: 'ReadRole', action: 'dynamodb:DeleteItem' };

type Function = {
  readonly name: string;
  readonly role: string;
  readonly actions: ReadonlySet<string>;
};

/** Finds roles that allow less or more than the bundles of their functions call. */
export async function checkRoles(
  bundles: readonly Bundle[],
  template: Template,
): Promise<readonly string[]> {
  const functions = await Promise.all(
    bundles.map(async (bundle) => ({
      name: bundle.function.name,
      role: roleOf(bundle, template),
      actions: new Set(calledActions(bundle.inputs, await readFile(bundle.path, 'utf8'))),
    })),
  );

  return compareRoles(functions.map(withActionsOfTools), template);
}

const loadsTools = kebabCase(callMcp.operationId);
const tools = new Set(endpoints.flatMap((one) => (one.tool ? [kebabCase(one.operationId)] : [])));

/**
 * A bundle contains modules that it loads on demand completely, including unused parts. So the
 * actions of the AI agents' tools are read from the bundles of the tools' own functions.
 */
function withActionsOfTools(
  definition: Function,
  _: number,
  functions: readonly Function[],
): Function {
  if (definition.name !== loadsTools) {
    return definition;
  }
  const called = functions.filter(({ name }) => tools.has(name));

  return { ...definition, actions: new Set(called.flatMap(({ actions }) => [...actions])) };
}

/** Exported for its test. */
export function calledActions(
  inputs: Readonly<Record<string, number>>,
  source: string,
): readonly string[] {
  const commands = Object.keys(inputs).flatMap((path) => {
    const [, client, name] = command.exec(path) ?? [];

    return actionsOfCommands[`${client}/${name}`] ?? actionsOfModules[path] ?? [];
  });
  const writes = actionsOfWrites
    .filter(([pattern]) => pattern.test(source))
    .map(([, action]) => action);

  return [...commands, ...writes];
}

/** Exported for its test. */
export function compareRoles(
  functions: readonly Function[],
  template: Template,
): readonly string[] {
  const byRole = Map.groupBy(
    functions.filter(({ role }) => role !== withoutCalls),
    ({ role }) => role,
  );

  return [...byRole].flatMap(([role, members]) => {
    const allowed = allowedActions(template, role);
    const missing = members.flatMap(({ name, actions }) =>
      [...actions]
        .filter((action) => !allowed.has(action))
        .filter((action) => role !== unreachable.role || action !== unreachable.action)
        .map((action) => `${name} calls ${action}, which ${role} does not allow`),
    );
    const unused = [...allowed]
      .filter((action) => !notCompared.test(action))
      .filter((action) => members.every(({ actions }) => !actions.has(action)))
      .map((action) => `${role} allows ${action}, which none of its functions calls`);

    return [...missing, ...unused];
  });
}

function roleOf({ function: { name } }: Bundle, template: Template): string {
  const deployed = Object.values(template.Resources).find(
    // The format is `social-leads-<stage>-<name>`, and a stage contains no dash.
    ({ Properties }) => String(Properties?.FunctionName).split('-').slice(3).join('-') === name,
  );
  const { 'Fn::GetAtt': [role = ''] = [] } = (deployed?.Properties?.Role ?? {}) as {
    'Fn::GetAtt'?: readonly string[];
  };

  return role;
}

function allowedActions(template: Template, role: string): ReadonlySet<string> {
  const resource = template.Resources[role];
  const policies = resource ? statementsIn(resource.Properties?.Policies) : [];

  return new Set(policies.flatMap(({ Action }) => [Action].flat()).map(String));
}
