import type { Template } from '#scripts/build/package/template.ts';

type Explanation = {
  readonly logicalId: string;
  readonly pattern: string;
  readonly reason: string;
};

const tracingRoles = [
  'ReadRole',
  'ApiRole',
  'SenderRole',
  'FileSenderRole',
  'HealthRole',
  'FilesRole',
  'UploadRole',
  'StaticRole',
  'WorkerRole',
  'TableWorkerRole',
  'FileWorkerRole',
  'MailRole',
  'WebhooksRole',
  'LiveRole',
  'JobRole',
  'SweepRole',
  'WatchRole',
];

/** All wildcards that policies may contain. `{…}` marks values that CloudFormation inserts. */
const explained: readonly Explanation[] = [
  {
    logicalId: 'EncryptionKey',
    pattern: 'kms:*',
    reason:
      'Lets the policies of the account manage the key. Without it, nobody could ever change the key.',
  },
  {
    logicalId: 'EncryptionKey',
    pattern: '*',
    reason: 'In a key policy, this is the key itself, which has no other name there.',
  },
  ...['FilesRole', 'FileWorkerRole'].map((logicalId) => ({
    logicalId,
    pattern: '{}/reports/*',
    reason: 'Every report has its own name. The rest of the bucket is not accessible.',
  })),
  ...['FileSenderRole', 'FilesRole', 'FileWorkerRole'].map((logicalId) => ({
    logicalId,
    pattern: '{}/attachments/*',
    reason: 'Every attachment has its own name. The rest of the bucket is not accessible.',
  })),
  ...[
    'SenderRole',
    'FileSenderRole',
    'FilesRole',
    'UploadRole',
    'WorkerRole',
    'FileWorkerRole',
  ].map((logicalId) => ({
    logicalId,
    pattern: '{}/media/*',
    reason: 'Every medium has its own name. The rest of the bucket is not accessible.',
  })),
  ...['FilesRole', 'WorkerRole', 'FileWorkerRole'].map((logicalId) => ({
    logicalId,
    pattern: '{}/knowledge/*',
    reason:
      'Every revision of a source has its own name. The rest of the bucket is not accessible.',
  })),
  ...['UploadRole', 'FileWorkerRole'].map((logicalId) => ({
    logicalId,
    pattern: '{}/uploads/*',
    reason: 'Every upload has its own name. The rest of the bucket is not accessible.',
  })),
  ...tracingRoles.map((logicalId) => ({
    logicalId,
    pattern: '*',
    reason: 'Sends traces. X-Ray does not support resource names for this.',
  })),
  ...['POST', 'DELETE'].map((method) => ({
    logicalId: 'LiveRole',
    pattern: `arn:{}:execute-api:{}:{}:{}/{stage}/${method}/@connections/*`,
    reason: 'Every connection has its own id. Other APIs and stages are not accessible.',
  })),
  {
    logicalId: 'MailRole',
    pattern: 'arn:{}:ses:{}:{}:configuration-set/*',
    reason:
      'An identity can have a default configuration set of any name. The sender is still restricted.',
  },
  {
    logicalId: 'InvocationRole',
    pattern: 'arn:{}:lambda:{}:{}:function:social-leads-{stage}-*',
    reason:
      'The functions of this stage. A list of their names would exceed the size limit of a policy.',
  },
];

type Statement = {
  readonly Effect?: string;
  readonly Action?: unknown;
  readonly NotAction?: unknown;
  readonly Resource?: unknown;
  readonly NotResource?: unknown;
};

type Wildcard = { readonly logicalId: string; readonly pattern: string };

/** Finds actions and resources with wildcards that have no documented reason. */
export function findWildcards(template: Template, stage: string): string[] {
  const found = Object.entries(template.Resources).flatMap(([logicalId, resource]) =>
    statementsIn(resource)
      .filter(({ Effect }) => Effect === 'Allow')
      .flatMap((statement) => patternsOf(statement, stage))
      .filter((pattern) => pattern.includes('*'))
      .map((pattern) => ({ logicalId, pattern })),
  );
  const unexplained = found.filter((wildcard) => !explained.some((one) => isSame(one, wildcard)));
  const unused = explained.filter((one) => !found.some((wildcard) => isSame(one, wildcard)));

  return [
    ...unexplained.map(
      ({ logicalId, pattern }) => `${logicalId} allows ${pattern} without a documented reason`,
    ),
    ...unused.map(
      ({ logicalId, pattern }) => `${logicalId} no longer allows ${pattern}. Remove its reason`,
    ),
  ];
}

function isSame(one: Wildcard, other: Wildcard): boolean {
  return one.logicalId === other.logicalId && one.pattern === other.pattern;
}

/** Finds the policy statements in a resource. */
export function statementsIn(value: unknown): readonly Statement[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  const own = 'Statement' in value ? [value.Statement].flat() : [];

  return [...(own as Statement[]), ...Object.values(value).flatMap(statementsIn)];
}

/** Exclusions (`NotAction`, `NotResource`) count as wildcards, too. */
function patternsOf(statement: Statement, stage: string): readonly string[] {
  const { Action, Resource, NotAction, NotResource } = statement;

  return [
    ...[Action, Resource].flat().map((value) => plainText(value, stage)),
    ...[NotAction, NotResource]
      .filter((value) => value !== undefined)
      .map((value) => `* but ${JSON.stringify(value)}`),
  ];
}

/** The text of a value, with `{}` for values that are inserted later. */
function plainText(value: unknown, stage: string): string {
  if (typeof value === 'string') {
    return value
      .replaceAll(/\$\{[^}]*\}/g, '{}')
      .replace(`-${stage}-`, '-{stage}-')
      .replace(`/${stage}/`, '/{stage}/');
  }
  if (typeof value !== 'object' || value === null) {
    return '';
  }
  if ('Fn::Join' in value && Array.isArray(value['Fn::Join'])) {
    const [separator, parts] = value['Fn::Join'];

    return (parts as unknown[]).map((part) => plainText(part, stage)).join(String(separator));
  }
  if ('Fn::Sub' in value) {
    return plainText([value['Fn::Sub']].flat()[0], stage);
  }

  return '{}';
}
