import type { Template } from '#scripts/build/package/template.ts';

type Explanation = {
  readonly logicalId: string;
  readonly pattern: string;
  readonly reason: string;
};

const tracingRoles = ['ApiRole', 'FilesRole', 'StaticRole', 'WorkerRole', 'JobRole'];

/** Every wildcard that a policy may have. `{…}` stands for what CloudFormation fills in. */
const explained: readonly Explanation[] = [
  {
    logicalId: 'EncryptionKey',
    pattern: 'kms:*',
    reason: 'Without it nobody could ever change the key: the account, and thus its policies, may.',
  },
  {
    logicalId: 'EncryptionKey',
    pattern: '*',
    reason: 'In the policy of a key this is the key itself; it has no other name there.',
  },
  {
    logicalId: 'FilesRole',
    pattern: '{}/reports/*',
    reason: 'Each report has a name of its own; what lies elsewhere in the bucket is out of reach.',
  },
  ...tracingRoles.map((logicalId) => ({
    logicalId,
    pattern: '*',
    reason: 'What sends traces: X-Ray has no resources to name for it.',
  })),
  {
    logicalId: 'InvocationRole',
    pattern: 'arn:{}:lambda:{}:{}:function:social-leads-{stage}-*',
    reason: 'The functions of this stage; their names one by one are more than a policy may hold.',
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

/** Actions and resources that a policy allows with a wildcard and nobody has given a reason for. */
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
      ({ logicalId, pattern }) => `${logicalId} allows ${pattern}, for which no reason is given`,
    ),
    ...unused.map(
      ({ logicalId, pattern }) => `${logicalId} no longer allows ${pattern}: drop the reason`,
    ),
  ];
}

function isSame(one: Wildcard, other: Wildcard): boolean {
  return one.logicalId === other.logicalId && one.pattern === other.pattern;
}

function statementsIn(value: unknown): readonly Statement[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  const own = 'Statement' in value ? [value.Statement].flat() : [];

  return [...(own as Statement[]), ...Object.values(value).flatMap(statementsIn)];
}

/** All but the named ones is a wildcard too. */
function patternsOf(statement: Statement, stage: string): readonly string[] {
  const { Action, Resource, NotAction, NotResource } = statement;

  return [
    ...[Action, Resource].flat().map((value) => plainText(value, stage)),
    ...[NotAction, NotResource]
      .filter((value) => value !== undefined)
      .map((value) => `* but ${JSON.stringify(value)}`),
  ];
}

/** The text of a value, with `{}` for what is filled in later. */
function plainText(value: unknown, stage: string): string {
  if (typeof value === 'string') {
    return value.replaceAll(/\$\{[^}]*\}/g, '{}').replace(`-${stage}-`, '-{stage}-');
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
