import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '#schemas/index.ts';
import { checkLimits } from '#scripts/build/check/template/check-limits.ts';
import {
  findIndexChanges,
  findRejectedValues,
} from '#scripts/build/check/template/find-rejected-values.ts';
import { findWildcards } from '#scripts/build/check/template/find-wildcards.ts';
import { validateStacks } from '#scripts/build/check/template/validate-stacks.ts';
import { validateTemplate } from '#scripts/build/check/template/validate-template.ts';
import { validateWithAws } from '#scripts/build/check/template/validate-with-aws.ts';
import type { CompiledTemplate, Resource, Template } from '#scripts/build/package/template.ts';
import { projectPath } from '#scripts/project.ts';
import { runsAll } from '#tests/support/depth.ts';
import { compileProductionTemplate } from '#tests/support/production-template.ts';

type Changes = Readonly<Record<string, unknown>>;

/**
 * A fault in a copy of a resource of the packaged template: the copied resource, its changed
 * properties, and the problem that a check must report about the copy.
 */
type Fault = readonly [
  name: string,
  original: string,
  changes: (properties: Changes) => Changes,
  report: RegExp,
];

const functionId = 'SignDashupLambdaFunction';
const attribute = (name: string) => ({ AttributeName: name, AttributeType: 'S' });
const index = (name: string, keys: readonly string[]) => ({
  IndexName: name,
  KeySchema: keys.map((key) => ({ AttributeName: key, KeyType: 'HASH' })),
  Projection: { ProjectionType: 'ALL' },
});
const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);
const policy = (statement: Changes) => ({
  Policies: [
    {
      PolicyName: 'seeded',
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Action: 's3:GetObject',
            Resource: { 'Fn::GetAtt': ['FilesBucket', 'Arn'] },
            ...statement,
          },
        ],
      },
    },
  ],
});
const variables = (changes: Changes) => () => ({ Environment: { Variables: changes } });
const stat = (id: string) => ({
  Id: id,
  ReturnData: false,
  MetricStat: {
    Period: 300,
    Stat: 'Sum',
    Metric: { Namespace: 'AWS/SQS', MetricName: 'NumberOfMessagesSent', Dimensions: [] },
  },
});

const faults: readonly Fault[] = [
  [
    'a description of 300 characters',
    functionId,
    () => ({ Description: 'x'.repeat(300) }),
    /Description/,
  ],
  ['a timeout of 901 s', functionId, () => ({ Timeout: 901 }), /Timeout/],
  ['100 MB of memory', functionId, () => ({ MemorySize: 100 }), /MemorySize/],
  ['a retired runtime', functionId, () => ({ Runtime: 'nodejs14.x' }), /W2531|nodejs14/],
  ['an unknown runtime', functionId, () => ({ Runtime: 'nodejs99.x' }), /nodejs99|Runtime/],
  ['an unknown property', functionId, () => ({ Runtme: 'x' }), /Runtme/],
  ['a missing role', functionId, () => ({ Role: undefined }), /Role/],
  ['a reference to nothing', functionId, () => ({ Role: { Ref: 'Nobody' } }), /Nobody/],
  [
    'a name of 65 characters',
    functionId,
    () => ({ FunctionName: 'x'.repeat(65) }),
    /FunctionName|64/,
  ],
  [
    'the name of another function',
    functionId,
    ({ FunctionName }) => ({ FunctionName }),
    /same|unique|duplicate|FunctionName/i,
  ],
  ['a variable with a dash', functionId, variables({ 'WITH-DASH': 'x' }), /WITH-DASH/],
  ['a reserved variable', functionId, variables({ AWS_REGION: 'x' }), /AWS_REGION/],
  ['over 4 KB of variables', functionId, variables({ LARGE: 'x'.repeat(4_100) }), /environment/],
  [
    'a visibility timeout of 50,000 s',
    'BioClicksQueue',
    () => ({ VisibilityTimeout: 50_000 }),
    /VisibilityTimeout/,
  ],
  [
    'a FIFO queue without .fifo in its name',
    'InboundEventsDeadLetterQueue',
    () => ({ QueueName: 'ordered' }),
    /fifo/i,
  ],
  [
    'a FIFO queue with a standard dead-letter queue',
    'InboundEventsQueue',
    () => ({
      QueueName: 'seeded.fifo',
      RedrivePolicy: {
        deadLetterTargetArn: { 'Fn::GetAtt': ['BioClicksDeadLetterQueue', 'Arn'] },
        maxReceiveCount: 5,
      },
    }),
    /fifo/i,
  ],
  [
    'a maxReceiveCount of 0',
    'BioClicksQueue',
    ({ RedrivePolicy }) => ({
      RedrivePolicy: { ...(RedrivePolicy as object), maxReceiveCount: 0 },
    }),
    /maxReceiveCount/,
  ],
  [
    'a batch size of 10,001',
    'BioDashclicksEventSourceMappingSQSBioClicksQueue',
    () => ({ BatchSize: 10_001 }),
    /BatchSize/,
  ],
  [
    'a concurrency of 1',
    'BioDashclicksEventSourceMappingSQSBioClicksQueue',
    () => ({ ScalingConfig: { MaximumConcurrency: 1 } }),
    /MaximumConcurrency/,
  ],
  [
    'an index key that is no attribute',
    'Table',
    () => ({ GlobalSecondaryIndexes: [index('seeded', ['nowhere'])] }),
    /nowhere|AttributeDefinitions/,
  ],
  [
    'an attribute that no key uses',
    'Table',
    ({ AttributeDefinitions }) => ({
      AttributeDefinitions: [...(AttributeDefinitions as unknown[]), attribute('unused')],
    }),
    /unused|AttributeDefinitions/,
  ],
  [
    '21 indexes',
    'Table',
    () => ({
      GlobalSecondaryIndexes: numbers(21).map((number) => index(`index${number}`, ['pk'])),
    }),
    /21 indexes/,
  ],
  [
    'an index with 5 partition attributes',
    'Table',
    () => ({ GlobalSecondaryIndexes: [index('wide', ['pk', 'sk', 'a', 'b', 'c'])] }),
    /5 HASH attributes/,
  ],
  ['the effect "allow"', 'StaticRole', () => policy({ Effect: 'allow' }), /Effect|allow/],
  [
    'an unknown action',
    'StaticRole',
    () => policy({ Action: 's3:GetObjekt' }),
    /GetObjekt is not an IAM action/,
  ],
  [
    'policies over 10,240 bytes',
    'StaticRole',
    () =>
      policy({
        Resource: numbers(300).map(
          (number) => `arn:aws:s3:::a-long-bucket-name-${number}/reports/x`,
        ),
      }),
    /policies have about/,
  ],
  [
    'an unknown comparison operator',
    'ApiFailuresAlarm',
    () => ({ ComparisonOperator: 'LargerThanThreshold' }),
    /ComparisonOperator|LargerThan/,
  ],
  [
    'an alarm over 21 metrics',
    'ApiFailuresAlarm',
    () => ({ Metrics: numbers(21).map((number) => stat(`m${number}`)) }),
    /metrics/i,
  ],
  ['a period of 7 s', 'ApiFailuresAlarm', () => ({ Period: 7 }), /Period/],
  ['no threshold', 'ApiFailuresAlarm', () => ({ Threshold: undefined }), /Threshold is missing/],
  [
    'a wrong schedule expression',
    'DueDashworkSchedulerSchedule1',
    () => ({ ScheduleExpression: 'rate(5 minute)' }),
    /not a schedule/,
  ],
  ['a dashboard that is not JSON', 'Dashboard', () => ({ DashboardBody: '{"widgets": [' }), /JSON/],
  ['an illegal bucket name', 'FilesBucket', () => ({ BucketName: 'Wrong_Name' }), /BucketName/],
  [
    'a gateway timeout of 31 s',
    'HttpApi',
    ({ Body }) => ({
      Body: JSON.parse(
        JSON.stringify(Body).replaceAll('"timeoutInMillis":30000', '"timeoutInMillis":31000'),
      ),
    }),
    /timeout of 31000 ms/,
  ],
];

/**
 * Properties that contain a resource's name, because two resources with one name would be another
 * fault.
 */
const names = ['FunctionName', 'QueueName', 'TableName', 'AlarmName', 'DashboardName', 'Name'];

function copyWith(original: Resource, changes: Changes, id: string): Resource {
  const properties = Object.fromEntries(
    Object.entries(original.Properties ?? {}).map(([name, value]) => [
      name,
      names.includes(name) && typeof value === 'string'
        ? value.replace(/(?:\.fifo)?$/, (suffix) => `-${id.toLowerCase()}${suffix}`)
        : value,
    ]),
  );

  return { ...original, Properties: { ...properties, ...changes } };
}

let production: CompiledTemplate;

const plan = (_: unknown, number: number) => ({
  id: `plan${number}`,
  name: `Plan ${number}`,
  lookupKey: `plan${number}_monthly`,
  amountCents: 2_900,
  monthlyCredits: 2_500,
  trialDays: 14,
});
const idOf = (number: number) => `Seeded${number}Fault`;

beforeAll(async () => {
  production = await compileProductionTemplate({
    API_DOMAIN: 'api.example.com',
    HOSTED_ZONE_ID: 'Z0123456789ABCDEFGHIJ',
    MONTHLY_BUDGET_USD: '500',
    SECRET_REPLICA_REGION: 'eu-west-1',
    RESTORED_TABLE: 'social-leads-prod-restored',
    BILLING_PLANS: JSON.stringify(Array.from({ length: 12 }, plan)),
  });
});

/**
 * One template with all faults, because checking it once takes as long as checking a single fault.
 */
function seeded({ Resources, ...rest }: Template): Template {
  const copies = faults.map(([, original, changes], number) => {
    const resource = resourceOf(original);

    return [
      idOf(number),
      copyWith(resource, changes(resource.Properties ?? {}), idOf(number)),
    ] as const;
  });

  return {
    ...rest,
    Resources: {
      ...Resources,
      ...Object.fromEntries(copies),
      SeededPolicy: { ...resourceOf('Secret'), DeletionPolicy: 'Keep' },
      MailDeliveryQueue: copyWith(resourceOf('MailDeliveryQueue'), { VisibilityTimeout: 5 }, ''),
    },
  };
}

function resourceOf(logicalId: string): Resource {
  const resource = production.whole.Resources[logicalId];
  if (!resource) {
    throw new Error(`The template has no ${logicalId}`);
  }

  return resource;
}

async function allProblems({ whole, ...compiled }: CompiledTemplate): Promise<readonly string[]> {
  // Without undefined values, as in a file.
  const parsed = JSON.parse(JSON.stringify(whole)) as Template;

  return [
    ...checkLimits(compiled),
    ...validateStacks(compiled.template, compiled.nested),
    ...findWildcards(parsed, 'prod'),
    ...validateTemplate(parsed),
    ...validateWithAws(parsed),
    ...(await findRejectedValues(parsed)),
  ];
}

describe('the template of prod', () => {
  it('keeps data when the stack is deleted, but not when its creation is rolled back', () => {
    const kept = { DeletionPolicy: 'RetainExceptOnCreate' };

    expect(production.template.Resources).toMatchObject({
      Table: { ...kept, Properties: { DeletionProtectionEnabled: true } },
      FilesBucket: kept,
      EncryptionKey: kept,
      Secret: { ...kept, Properties: { Name: 'social-leads/prod' } },
      ApiLogGroup: { Properties: { RetentionInDays: 90 } },
    });
  });

  it('keeps old versions of files as long as the table can be restored, or as privacy.md says', () => {
    const { VersioningConfiguration, LifecycleConfiguration } = resourceOf('FilesBucket')
      .Properties as {
      VersioningConfiguration: unknown;
      LifecycleConfiguration: {
        Rules: readonly {
          readonly Prefix: string;
          readonly NoncurrentVersionExpiration: { readonly NoncurrentDays: number };
        }[];
      };
    };
    const days = LifecycleConfiguration.Rules.map(
      ({ Prefix, NoncurrentVersionExpiration }) =>
        [Prefix, NoncurrentVersionExpiration.NoncurrentDays] as const,
    );

    expect(VersioningConfiguration).toEqual({ Status: 'Enabled' });
    expect(Object.fromEntries(days)).toEqual({
      'reports/': 1,
      'attachments/': 7,
      'uploads/': 1,
      'media/': 35,
      'knowledge/': 35,
    });
    expect(readFileSync(projectPath('docs/privacy.md'), 'utf8')).toContain(
      'Deleted files: operators alone, for 7 days (messages), 35 (media, knowledge) or one (the rest)',
    );
    expect(JSON.stringify(production.template)).not.toContain('s3:DeleteObjectVersion');
  });

  it('responds at its own domain only', () => {
    expect(resourceOf('HttpApi').Properties).toMatchObject({
      Body: { 'x-amazon-apigateway-endpoint-configuration': { disableExecuteApiEndpoint: true } },
    });
    expect(resourceOf('ApiDomainName').Properties).toMatchObject({ DomainName: 'api.example.com' });
    expect(resourceOf('ApiRecord').Properties).toMatchObject({ Name: 'api.example.com' });
  });

  it('gives large areas a separate API with the same settings', () => {
    const pathsOf = (api: string) =>
      (resourceOf(api).Properties as { Body: { paths: Record<string, object> } }).Body.paths;
    const [main, leads, ai] = ['HttpApi', 'LeadsHttpApi', 'AiHttpApi'].map(pathsOf);
    const routes = [main, leads, ai].map((paths = {}) => Object.values(paths).flatMap(Object.keys));
    const integration = (paths: Record<string, object> = {}, path: string) =>
      JSON.stringify(paths[path]);

    // Two more unknown routes.
    expect(routes.flat()).toHaveLength(endpoints.length + 4);
    for (const { length } of routes) {
      expect(length).toBeLessThan(300 - 60);
    }
    expect(Object.keys(main ?? {}).filter((path) => /^\/(leads|ai)\b/.test(path))).toEqual([]);
    expect(integration(leads, '/{organization_id}/pipelines')).toContain(
      'function:social-leads-prod-list-pipelines/invocations',
    );
    expect(leads?.$default).toEqual(main?.$default);
    expect(resourceOf('AiApiMapping').Properties).toEqual({
      ApiId: { Ref: 'AiHttpApi' },
      ApiMappingKey: 'ai',
      DomainName: { Ref: 'ApiDomainName' },
      Stage: { Ref: 'AiHttpApiStage' },
    });
    expect(resourceOf('LeadsSlowRequestsAlarm').Properties).toMatchObject({
      Dimensions: [{ Name: 'ApiId', Value: { Ref: 'LeadsHttpApi' } }],
    });
    expect(JSON.stringify(resourceOf('LeadsHttpApiStage'))).toContain(
      '\\"area\\":\\"leads\\",\\"route\\":\\"$context.routeKey\\"',
    );
    expect(resourceOf('LeadsHttpApi').Properties).toMatchObject({
      Body: { 'x-amazon-apigateway-endpoint-configuration': { disableExecuteApiEndpoint: true } },
    });
  });

  it('copies the secret to a second region', () => {
    expect(JSON.stringify(resourceOf('Secret').Properties)).toContain('{"Region":"eu-west-1"}');
  });

  it('reports the costs of a month', () => {
    expect(resourceOf('Budget').Properties).toMatchObject({
      Budget: { BudgetLimit: { Amount: '500' } },
    });
  });

  it('uses a restored table and all of its indexes', () => {
    const role = JSON.stringify(resourceOf('ReadRole'));
    const { Properties: { GlobalSecondaryIndexes: indexes = [] } = {} } = resourceOf('Table') as {
      Properties?: { GlobalSecondaryIndexes?: readonly { readonly IndexName: string }[] };
    };

    expect(resourceOf(functionId).Properties).toMatchObject({
      Environment: { Variables: { TABLE_NAME: 'social-leads-prod-restored' } },
    });
    expect(role).toContain('table/social-leads-prod-restored"');
    for (const { IndexName } of indexes) {
      expect(role).toContain(`table/social-leads-prod-restored/index/${IndexName}"`);
    }
  });

  it('has enough space for twelve plans, because only functions that use them receive them', () => {
    const holders = Object.values(production.template.Resources).filter(({ Properties }) =>
      JSON.stringify(Properties).includes('BILLING_PLANS'),
    );

    expect(production.sizeBytes).toBeLessThan(800_000);
    expect(holders.length).toBeLessThan(25);
  });
});

// `npm run check` makes the same checks of a packaged template without faults.
if (runsAll) {
  describe('the checks of a packaged template', () => {
    let problems: readonly string[];

    beforeAll(async () => {
      problems = await allProblems({ ...production, whole: seeded(production.whole) });
    });

    it('accept the rest of the template of prod', () => {
      expect(problems.filter((problem) => !/Seeded|MailDelivery/.test(problem))).toEqual([]);
    });

    it.each(faults.map(([name], number) => [name, number] as const))('find %s', (_, number) => {
      const [, , , report] = faults[number] as Fault;
      const own = problems.filter((problem) => problem.includes(idOf(number)));

      expect(own.join('\n')).toMatch(report);
    });

    it('find an unknown deletion policy', () => {
      expect(problems.join('\n')).toMatch(/SeededPolicy.*(?:DeletionPolicy|Keep)/);
    });

    it('find a queue whose messages return while they are processed', () => {
      expect(problems.join('\n')).toMatch(/MailDelivery.*(?:VisibilityTimeout|visibility)/i);
    });
  });
}

describe('the check for index changes', () => {
  it('finds two changes in one update, and accepts one', () => {
    const { Properties = {}, ...table } = resourceOf('Table');
    const indexes = Properties.GlobalSecondaryIndexes as readonly unknown[];
    const deployed = (count: number): Template => ({
      Resources: {
        Table: { ...table, Properties: { GlobalSecondaryIndexes: indexes.slice(count) } },
      },
    });

    expect(findIndexChanges(deployed(1), production.template)).toEqual([]);
    expect(findIndexChanges(deployed(2), production.template)).toEqual([
      expect.stringContaining('creates or deletes 2 indexes'),
    ]);
    expect(findIndexChanges({ Resources: {} }, production.template)).toEqual([]);
  });

  it('finds an index that keeps its name and changes its keys or attributes', () => {
    const { Properties = {}, ...table } = resourceOf('Table');
    const [first, ...others] = Properties.GlobalSecondaryIndexes as readonly object[];
    const changed = { ...first, Projection: { ProjectionType: 'ALL' } };
    const indexes = { GlobalSecondaryIndexes: [changed, ...others] };
    const deployed = { Resources: { Table: { ...table, Properties: indexes } } };

    expect(findIndexChanges(deployed, production.template)).toEqual([
      expect.stringContaining('the index due'),
    ]);
  });
});

it("AWS's validator accepts the deployment role", () => {
  const role = readFileSync(projectPath('.github/deploy-role.yml'), 'utf8');

  expect(validateWithAws(role)).toEqual([]);
});
