import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkLimits } from '#scripts/build/check/template/check-limits.ts';
import { findWildcards } from '#scripts/build/check/template/find-wildcards.ts';
import { validateStacks } from '#scripts/build/check/template/validate-stacks.ts';
import { missingVariables } from '#scripts/build/package/missing-variables.ts';
import { createServiceCopy } from '#scripts/build/package/service-copy.ts';
import {
  type CompiledTemplate,
  compileTemplate,
  type Template,
} from '#scripts/build/package/template.ts';
import { projectPath } from '#scripts/project.ts';
import { fixtureRegistry } from '#tests/support/fixture-registry.ts';
import { productionVariables } from '#tests/support/production-template.ts';

type Integration = { readonly uri: unknown; readonly credentials: unknown };
type GatewayDocument = {
  readonly paths: Record<
    string,
    Record<string, { readonly 'x-amazon-apigateway-integration': Integration }>
  >;
};

const endpointCount = 183;
/** With workers, jobs, and two functions without a contract, this makes 210 functions. */
const service = createServiceCopy(
  fixtureRegistry({ endpoints: endpointCount, workers: 15, jobs: 10 }),
);
let compiled: CompiledTemplate;

function resourcesOf(type: string): readonly Record<string, unknown>[] {
  return Object.values(compiled.whole.Resources)
    .filter(({ Type }) => Type === type)
    .map(({ Properties = {} }) => Properties);
}

beforeAll(async () => {
  const { ALLOWED_ORIGINS: _, ...environment } = process.env;
  compiled = await compileTemplate(service.folder, ['--stage', 'dev'], environment);
});

afterAll(() => {
  service.remove();
});

describe('a deployment of 210 functions', () => {
  it('has all functions and stays within all limits', () => {
    expect(resourcesOf('AWS::Lambda::Function')).toHaveLength(210);
    expect(checkLimits(compiled)).toEqual([]);
  });

  it('matches the AWS resource specification, in all stacks and between them', () => {
    expect(validateStacks(compiled.template, compiled.nested)).toEqual([]);
  });

  it('has queues, triggers and alarms in nested stacks', () => {
    const typesIn = ({ Resources }: Template) =>
      [...new Set(Object.values(Resources).map(({ Type }) => Type))].toSorted();
    const { Queues, Triggers, Alarms } = compiled.nested;

    expect([Queues, Triggers, Alarms].map(typesIn)).toEqual([
      ['AWS::SQS::Queue'],
      [
        'AWS::Lambda::EventInvokeConfig',
        'AWS::Lambda::EventSourceMapping',
        'AWS::Scheduler::Schedule',
      ],
      ['AWS::CloudWatch::Alarm'],
    ]);
    expect(typesIn(compiled.template)).not.toContain('AWS::SQS::Queue');
    expect(Object.keys(Queues.Parameters ?? {})).toEqual([]);
    // Deployments watch this alarm by its name.
    expect(Object.keys(compiled.template.Resources)).toContain('ApiFailuresAlarm');
  });

  it('has no unexplained wildcard permissions', () => {
    expect(findWildcards(compiled.whole, 'dev')).toEqual([]);
  });

  it('has a route for every endpoint in the gateway document, invoked through a role', () => {
    const { Body, FailOnWarnings } = compiled.template.Resources.HttpApi?.Properties ?? {};
    const { paths } = Body as GatewayDocument;
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    const called = operations.map((operation) => operation['x-amazon-apigateway-integration']);

    expect(FailOnWarnings).toBe(true);
    expect(operations).toHaveLength(endpointCount + 1);
    expect(new Set(called.map(({ uri }) => JSON.stringify(uri))).size).toBe(endpointCount + 1);
    expect(called.map(({ credentials }) => credentials)).toEqual(
      called.map(() => ({ 'Fn::GetAtt': ['InvocationRole', 'Arn'] })),
    );
    expect(paths.$default).toMatchObject({
      'x-amazon-apigateway-any-method': { isDefaultRoute: true },
    });
    expect(paths['/fixtures/{organization_id}/kind-1/{fixture_id}']?.get).toMatchObject({
      parameters: [{ name: 'organization_id' }, { name: 'fixture_id' }],
    });
    expect(resourcesOf('AWS::Lambda::Permission')).toEqual([]);
  });

  it('has a WebSocket API of one function, throttled and logged without its query', () => {
    const ApiId = { Ref: 'WebsocketsApi' };
    const routes = resourcesOf('AWS::ApiGatewayV2::Route');
    const [stage] = resourcesOf('AWS::ApiGatewayV2::Stage').filter(
      ({ StageName }) => StageName === 'dev',
    );

    expect(routes.map(({ RouteKey }) => RouteKey).toSorted()).toEqual([
      '$connect',
      '$default',
      '$disconnect',
    ]);
    expect(resourcesOf('AWS::ApiGatewayV2::Integration')).toMatchObject([
      { ApiId, CredentialsArn: { 'Fn::GetAtt': ['InvocationRole', 'Arn'] } },
    ]);
    expect(stage).toMatchObject({
      ApiId,
      DefaultRouteSettings: { ThrottlingRateLimit: 200, ThrottlingBurstLimit: 500 },
    });
    const logged = [...JSON.stringify(stage?.AccessLogSettings).matchAll(/\$context\.([\w.]+)/g)];
    expect(logged.map(([, name]) => name).toSorted()).toEqual([
      'identity.sourceIp',
      'integrationErrorMessage',
      'requestId',
      'requestTime',
      'routeKey',
      'status',
    ]);
  });

  it('runs on Node 24, arm64, with shared log groups', () => {
    for (const properties of resourcesOf('AWS::Lambda::Function')) {
      expect(properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        LoggingConfig: {
          LogGroup: expect.stringMatching(/^\/social-leads\/dev\/(api|workers|jobs)$/),
        },
      });
    }
  });

  it('has an on-demand table with TTL and point-in-time recovery', () => {
    expect(resourcesOf('AWS::DynamoDB::Table')).toMatchObject([
      {
        BillingMode: 'PAY_PER_REQUEST',
        TimeToLiveSpecification: { AttributeName: 'expiresAtSeconds', Enabled: true },
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      },
    ]);
  });

  it('encrypts the secret with its own rotating key', () => {
    expect(resourcesOf('AWS::KMS::Key')).toMatchObject([{ EnableKeyRotation: true }]);
    expect(resourcesOf('AWS::SecretsManager::Secret')).toMatchObject([
      { KmsKeyId: { Ref: 'EncryptionKey' } },
    ]);
  });

  it('deletes all logs after some time', () => {
    const groups = resourcesOf('AWS::Logs::LogGroup');

    expect(groups.length).toBeGreaterThanOrEqual(3);
    expect(groups.map(({ RetentionInDays }) => RetentionInDays)).toEqual(groups.map(() => 14));
  });

  it('grants mail, file, and queue access only where needed', () => {
    const holdersOf = (action: string) =>
      Object.entries(compiled.template.Resources)
        .filter(([, { Type }]) => Type === 'AWS::IAM::Role')
        .filter(([, role]) => JSON.stringify(role).includes(`"${action}"`))
        .map(([name]) => name)
        .toSorted();
    const withoutSecret = [
      'GatewayLogsRole',
      'InvocationRole',
      'LiveRole',
      'StaticRole',
      'SweepRole',
      'TableWorkerRole',
    ];
    const roles = Object.entries(compiled.template.Resources)
      .filter(([, { Type }]) => Type === 'AWS::IAM::Role')
      .map(([name]) => name)
      .toSorted();

    expect(holdersOf('ses:SendEmail')).toEqual(['MailRole']);
    expect(holdersOf('sqs:ReceiveMessage')).toEqual([
      'FileWorkerRole',
      'LiveRole',
      'MailRole',
      'TableWorkerRole',
      'WebhooksRole',
      'WorkerRole',
    ]);
    expect(holdersOf('execute-api:ManageConnections')).toEqual(['LiveRole']);
    expect(holdersOf('s3:PutObject')).toEqual([
      'FileSenderRole',
      'FileWorkerRole',
      'FilesRole',
      'UploadRole',
    ]);
    expect(holdersOf('lambda:InvokeFunction')).toEqual(['InvocationRole']);
    expect(holdersOf('sqs:SendMessage')).not.toContain('ApiRole');
    for (const action of ['dynamodb:PutItem', 'dynamodb:DeleteItem', 'sqs:SendMessage']) {
      expect(holdersOf(action)).not.toContain('ReadRole');
    }
    for (const action of ['secretsmanager:GetSecretValue', 'kms:Decrypt']) {
      expect(holdersOf(action)).toEqual(roles.filter((name) => !withoutSecret.includes(name)));
    }
  });

  it('restricts the mail and webhook workers to their own queues', () => {
    const queuesOf = (role: string) => [
      ...new Set(
        JSON.stringify(compiled.whole.Resources[role]).match(/\w+Queue(?=","Arn")/g) ?? [],
      ),
    ];

    expect(queuesOf('MailRole')).toEqual(['MailDeliveryQueue']);
    expect(queuesOf('WebhooksRole')).toEqual(['OutboundWebhooksQueue']);
  });

  it('lets the scheduler of this account only call functions', () => {
    expect(compiled.template.Resources.InvocationRole?.Properties).toMatchObject({
      AssumeRolePolicyDocument: {
        Statement: [
          { Principal: { Service: 'apigateway.amazonaws.com' } },
          {
            Principal: { Service: 'scheduler.amazonaws.com' },
            Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
          },
        ],
      },
    });
  });

  it('allows the sender to use any configuration set', () => {
    expect(JSON.stringify(compiled.template.Resources.MailRole)).toContain(':configuration-set/*');
    expect(resourcesOf('AWS::SES::ConfigurationSet')).toMatchObject([
      {
        Name: 'social-leads-dev',
        SuppressionOptions: { SuppressedReasons: ['BOUNCE', 'COMPLAINT'] },
      },
    ]);
  });

  it('scales the concurrency of workers to a quarter by default', () => {
    const concurrency = resourcesOf('AWS::Lambda::EventSourceMapping').map(
      ({ ScalingConfig }) => ScalingConfig,
    );

    expect(concurrency).toEqual(concurrency.map(() => ({ MaximumConcurrency: 2 })));
  });

  it('limits the throughput of the table', () => {
    expect(resourcesOf('AWS::DynamoDB::Table')).toMatchObject([
      { OnDemandThroughput: { MaxReadRequestUnits: 4_000, MaxWriteRequestUnits: 1_000 } },
    ]);
  });

  it('gives functions no secrets in environment variables', () => {
    const [{ Environment } = {}] = resourcesOf('AWS::Lambda::Function');
    const { Variables } = Environment as { Variables: Record<string, unknown> };

    const suspicious = Object.keys(Variables).filter((name) => /KEY|TOKEN|PASSWORD/.test(name));

    expect(suspicious).toEqual(['STRIPE_PUBLISHABLE_KEY']);
    expect(Variables.SECRET_ID).toBe('social-leads/dev');
  });

  it('allows functions to read every index of the table', () => {
    const definition = readFileSync(projectPath('lib/platform/db/table-definition.json'), 'utf8');
    const { GlobalSecondaryIndexes: indexes } = JSON.parse(definition);
    const policies = JSON.stringify(resourcesOf('AWS::IAM::Role').map(({ Policies }) => Policies));

    for (const { IndexName: name } of indexes) {
      expect(policies).toContain(`index/${name}`);
    }
  });

  it('has an alarm email that names an existing section of the runbook', () => {
    const operations = readFileSync(projectPath('docs/operations.md'), 'utf8');
    const anchors = [...operations.matchAll(/^##+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
    const texts = resourcesOf('AWS::CloudWatch::Alarm').map(({ AlarmDescription }) =>
      String(AlarmDescription),
    );

    expect(texts.length).toBeGreaterThan(50);
    for (const text of texts) {
      expect(anchors, text).toContain(/ Runbook: docs\/operations\.md#(\S+)$/.exec(text)?.[1]);
    }
  });

  it('sends every alarm to the topic', () => {
    for (const { AlarmActions } of resourcesOf('AWS::CloudWatch::Alarm')) {
      expect(AlarmActions).toEqual([{ Ref: 'AlarmTopic' }]);
    }
    expect(compiled.template.Resources.Alarms?.Properties).toMatchObject({
      Parameters: { AlarmTopic: { Ref: 'AlarmTopic' } },
    });
  });

  it('counts failures of the service separately from failures of vendors', () => {
    expect(compiled.whole.Resources).toMatchObject({
      OwnFailuresFilter: {
        Properties: {
          LogGroupName: { Ref: 'HttpApiLogGroup' },
          FilterPattern: '{ ($.status = "500") || ($.status = "503") || ($.status = "504") }',
        },
      },
      VendorFailuresFilter: { Properties: { FilterPattern: '{ $.status = "502" }' } },
      ApiFailuresAlarm: {
        Properties: { Namespace: 'SocialLeads/dev', MetricName: 'OwnFailures', Threshold: 5 },
      },
      VendorFailuresAlarm: {
        Properties: { Namespace: 'SocialLeads/dev', MetricName: 'VendorFailures' },
      },
    });
  });

  it('has alarms that are raised before limits are reached', () => {
    expect(compiled.nested.Alarms.Resources).toMatchObject({
      SlowRequestsAlarm: { Properties: { ExtendedStatistic: 'p99', Threshold: 5_000 } },
      ConcurrencyAlarm: { Properties: { Threshold: 80 } },
      SpendAlarm: { Properties: { MetricName: 'ConsumedWriteCapacityUnits' } },
      MailBouncesAlarm: { Properties: { MetricName: 'Reputation.BounceRate', Threshold: 0.04 } },
      MailComplaintsAlarm: {
        Properties: { MetricName: 'Reputation.ComplaintRate', Threshold: 0.0008 },
      },
    });
  });

  it('never retries a job, and drops runs that would overlap with the next one', () => {
    const limits = { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 240 };
    const schedules = resourcesOf('AWS::Scheduler::Schedule');
    const configs = resourcesOf('AWS::Lambda::EventInvokeConfig');

    expect([schedules.length, configs.length]).toEqual([10, 10]);
    for (const { Target } of schedules) {
      expect(Target).toMatchObject({ RetryPolicy: limits });
    }
    for (const config of configs) {
      expect(config).toMatchObject(limits);
    }
  });

  it('lets workers return failed messages to their queue early', () => {
    const { WorkerRole } = compiled.template.Resources;

    expect(JSON.stringify(WorkerRole)).toContain('sqs:ChangeMessageVisibility');
  });

  it('gives every worker a queue with a dead-letter queue', () => {
    const queues = resourcesOf('AWS::SQS::Queue');

    expect(queues).toHaveLength(30);
    expect(queues.filter(({ RedrivePolicy }) => RedrivePolicy)).toHaveLength(15);
  });
});

describe('a production deployment', () => {
  // The framework rejects this before it reads the functions, so there is only one in each area.
  const few = createServiceCopy(fixtureRegistry({ endpoints: 15, workers: 3, jobs: 1 }));
  const definition = readFileSync(projectPath('serverless.yml'), 'utf8');

  afterAll(() => few.remove());

  it.each([[Object.keys(productionVariables)], [['MAIL_FROM']]])(
    'names missing settings in one line: %j',
    (missing) => {
      const given = Object.entries(productionVariables).filter(([name]) => !missing.includes(name));

      expect(missingVariables(definition, 'prod', Object.fromEntries(given))).toMatch(
        new RegExp(`^The stage prod needs ${missing.join(', ')}: set .*$`),
      );
    },
  );

  it('has no missing settings if all are set, and other stages need none', () => {
    expect(missingVariables(definition, 'prod', productionVariables)).toBeUndefined();
    expect(missingVariables(definition, 'dev', {})).toBeUndefined();
  });

  it('rejects a stage name with a dash', async () => {
    await expect(compileTemplate(few.folder, ['--stage', 'dev-eu'])).rejects.toThrow(
      'The stage name "dev-eu" must consist of lowercase letters and digits.',
    );
  });
});
