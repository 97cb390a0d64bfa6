import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, describe, expect, it } from 'vitest';
import type { Resources } from '#scripts/build/package/fold-gateway.ts';
import { nestStacks } from '#scripts/build/package/nest-stacks.ts';
import { scaleConcurrency } from '#scripts/build/package/scale-concurrency.ts';
import ServerlessPlugin from '#scripts/build/package/serverless-plugin.ts';
import { splitGateway } from '#scripts/build/package/split-gateway.ts';

const folder = mkdtempSync(join(tmpdir(), 'service-'));
mkdirSync(join(folder, '.serverless'));

afterAll(() => rmSync(folder, { recursive: true }));

type Serverless = ConstructorParameters<typeof ServerlessPlugin>[0];

function serverlessWith(rollbackMinutes: string): Serverless {
  return {
    service: {
      custom: { apiDomain: '', workerConcurrencyPercent: '100', rollbackMinutes },
      functions: {},
      provider: { compiledCloudFormationTemplate: { Resources: {} } },
      package: { artifactDirectoryName: 'serverless/social-leads/prod/1' },
    },
    serviceDir: folder,
    utils: { writeFileSync: (path, content) => writeFileSync(path, JSON.stringify(content)) },
    getProvider: () => ({
      getStage: () => 'prod',
      getRegion: () => 'eu-central-1',
      getAccountInfo: async () => ({ accountId: '123456789012', partition: 'aws' }),
      getAwsSdkV3Config: async () => ({ region: 'eu-central-1' }),
      getServerlessDeploymentBucketName: async () => 'deployments',
    }),
  };
}

describe('a deployment', () => {
  it('is rolled back when requests fail after it', async () => {
    const serverless = serverlessWith('10');

    await new ServerlessPlugin(serverless).hooks['before:deploy:deploy']?.();

    expect(serverless.service.provider.rollbackConfiguration).toEqual({
      RollbackTriggers: [
        {
          Arn: 'arn:aws:cloudwatch:eu-central-1:123456789012:alarm:social-leads-prod-api-failures',
          Type: 'AWS::CloudWatch::Alarm',
        },
      ],
      MonitoringTimeInMinutes: 10,
    });
  });

  it('has no alarm to watch the first time', async () => {
    const serverless = serverlessWith('0');

    await new ServerlessPlugin(serverless).hooks['before:deploy:deploy']?.();

    expect(serverless.service.provider.rollbackConfiguration).toBeUndefined();
  });
});

describe('the nested stacks', () => {
  const topic = { Ref: 'AlarmTopic' };
  const alarm = (properties: object) => ({
    Type: 'AWS::CloudWatch::Alarm',
    Properties: { AlarmActions: [topic], ...properties },
  });
  const queue = { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'replies' } };
  const queueArn = { 'Fn::GetAtt': ['RepliesQueue', 'Arn'] };
  const queueName = { 'Fn::GetAtt': ['RepliesQueue', 'QueueName'] };
  const role = (resource: object) => ({ Type: 'AWS::IAM::Role', Properties: { resource } });

  it('get the resources that they use as parameters, and return the resources that others use', () => {
    const mapping = {
      Type: 'AWS::Lambda::EventSourceMapping',
      DependsOn: ['WorkerRole'],
      Properties: { EventSourceArn: queueArn, FunctionName: { 'Fn::GetAtt': ['Replies', 'Arn'] } },
    };
    const resources: Resources = {
      ApiFailuresAlarm: alarm({ AlarmName: 'failures' }),
      RepliesAgeAlarm: alarm({ Dimensions: [{ Name: 'QueueName', Value: queueName }] }),
      RepliesQueue: queue,
      RepliesMapping: mapping,
      WorkerRole: role(queueArn),
      Replies: { Type: 'AWS::Lambda::Function', Properties: { Region: { Ref: 'AWS::Region' } } },
      AlarmTopic: { Type: 'AWS::SNS::Topic', Properties: {} },
    };
    const { Queues, Triggers, Alarms } = nestStacks(resources, 'some/folder');
    const text = { Type: 'String' };
    const outputArn = { 'Fn::GetAtt': ['Queues', 'Outputs.RepliesQueueArn'] };

    expect(Queues).toEqual({
      AWSTemplateFormatVersion: '2010-09-09',
      Parameters: {},
      Outputs: {
        RepliesQueueQueueName: { Value: queueName },
        RepliesQueueArn: { Value: queueArn },
      },
      Resources: { RepliesQueue: queue },
    });
    expect(Triggers).toMatchObject({
      Parameters: { RepliesQueueArn: text, RepliesArn: text },
      Outputs: {},
      Resources: {
        RepliesMapping: {
          Properties: {
            EventSourceArn: { Ref: 'RepliesQueueArn' },
            FunctionName: { Ref: 'RepliesArn' },
          },
        },
      },
    });
    expect(Triggers.Resources.RepliesMapping).not.toHaveProperty('DependsOn');
    expect(Alarms.Resources).toEqual({
      RepliesAgeAlarm: alarm({
        Dimensions: [{ Name: 'QueueName', Value: { Ref: 'RepliesQueueQueueName' } }],
      }),
    });
    expect(resources).toMatchObject({
      ApiFailuresAlarm: alarm({ AlarmName: 'failures' }),
      WorkerRole: role(outputArn),
      Queues: {
        Properties: {
          TemplateURL: {
            'Fn::Sub': expect.stringMatching(
              /^https:.*\/some\/folder\/cloudformation-template-queues\.json$/,
            ),
          },
          Parameters: {},
        },
      },
      Triggers: {
        DependsOn: ['WorkerRole'],
        Properties: {
          Parameters: {
            RepliesQueueArn: outputArn,
            RepliesArn: { 'Fn::GetAtt': ['Replies', 'Arn'] },
          },
        },
      },
      Alarms: {
        Properties: {
          Parameters: {
            AlarmTopic: topic,
            RepliesQueueQueueName: { 'Fn::GetAtt': ['Queues', 'Outputs.RepliesQueueQueueName'] },
          },
        },
      },
    });
    expect(Object.keys(resources)).not.toContain('RepliesQueue');
  });

  it('keep dependencies between resources in the same place', () => {
    const dependent = { ...queue, DependsOn: 'RepliesQueue' };
    const resources: Resources = {
      RepliesQueue: queue,
      SecondQueue: dependent,
      Policy: { ...role({}), DependsOn: ['RepliesQueue', 'WorkerRole'] },
      WorkerRole: role({}),
    };

    expect(nestStacks(resources, 'folder').Queues.Resources.SecondQueue?.DependsOn).toEqual([
      'RepliesQueue',
    ]);
    expect(resources.Policy?.DependsOn).toEqual(['WorkerRole', 'Queues']);
  });

  it('are uploaded to the places that the stack names', async () => {
    const s3 = mockClient(S3Client).on(PutObjectCommand).resolves({});
    const serverless = serverlessWith('0');
    const { Resources } = serverless.service.provider.compiledCloudFormationTemplate;
    Resources.SpendAlarm = alarm({});
    Resources.RepliesQueue = queue;
    const { hooks } = new ServerlessPlugin(serverless);

    await hooks['after:aws:package:finalize:mergeCustomProviderResources']?.();
    await hooks['after:aws:deploy:deploy:uploadArtifacts']?.();

    const uploads = s3.commandCalls(PutObjectCommand).map(({ args }) => args[0].input);
    expect(uploads).toHaveLength(3);
    for (const { Bucket, Key } of uploads) {
      expect(Bucket).toBe('deployments');
      expect(JSON.stringify(Resources)).toContain(`/${Key}"`);
    }
    const uploaded = uploads.map(({ Body }) => Object.keys(JSON.parse(String(Body)).Resources));
    expect(uploaded.toSorted()).toEqual([[], ['RepliesQueue'], ['SpendAlarm']]);
  });
});

describe('splitGateway', () => {
  const operation = (name: string) => ({ get: { 'x-amazon-apigateway-integration': name } });
  const gateway = (): Resources => ({
    HttpApi: {
      Type: 'AWS::ApiGatewayV2::Api',
      Properties: {
        Body: {
          info: { title: 'prod-social-leads' },
          paths: {
            '/auth/me': operation('me'),
            '/leads/{id}': operation('lead'),
            '/leadership': operation('leadership'),
            $default: operation('unknown'),
          },
        },
      },
    },
    HttpApiStage: { Type: 'AWS::ApiGatewayV2::Stage', Properties: { ApiId: { Ref: 'HttpApi' } } },
  });
  const bodyOf = (resources: Resources, api: string) =>
    resources[api]?.Properties.Body as { info: object; paths: Record<string, object> };

  it('moves the routes of an area to another API, without the first segment of the path', () => {
    const resources = gateway();
    splitGateway(resources, { hasDomain: true });

    expect(Object.keys(resources)).toEqual([
      'HttpApi',
      'HttpApiStage',
      'LeadsHttpApi',
      'LeadsHttpApiStage',
    ]);
    expect(Object.keys(bodyOf(resources, 'HttpApi').paths)).toEqual([
      '/auth/me',
      '/leadership',
      '$default',
    ]);
    expect(bodyOf(resources, 'LeadsHttpApi')).toEqual({
      info: { title: 'prod-social-leads-leads' },
      paths: { '/{id}': operation('lead'), $default: operation('unknown') },
    });
    expect(resources.LeadsHttpApiStage?.Properties).toEqual({ ApiId: { Ref: 'LeadsHttpApi' } });
  });

  it('forwards requests to the area if there is no domain', () => {
    const resources = gateway();
    splitGateway(resources);

    expect(bodyOf(resources, 'HttpApi').paths['/leads/{proxy+}']).toMatchObject({
      'x-amazon-apigateway-any-method': {
        'x-amazon-apigateway-integration': {
          type: 'http_proxy',
          uri: { 'Fn::Sub': expect.stringContaining(`\${LeadsHttpApi}.execute-api.`) },
        },
      },
    });
  });
});

describe('scaleConcurrency', () => {
  const scaled = (maximum: number, percent: number) => {
    const resources: Resources = {
      Mapping: {
        Type: 'AWS::Lambda::EventSourceMapping',
        Properties: { ScalingConfig: { MaximumConcurrency: maximum } },
      },
    };
    scaleConcurrency(resources, percent);

    return resources.Mapping?.Properties.ScalingConfig;
  };

  it.each([
    [100, 100, 100],
    [100, 25, 25],
    [20, 33, 6],
    [20, 1, 2],
    [50, 200, 100],
  ])('scales %i at %i%% to %i', (maximum, percent, expected) => {
    expect(scaled(maximum, percent)).toEqual({ MaximumConcurrency: expected });
  });

  it.each([0, -5, Number.NaN])('rejects %d percent', (percent) => {
    expect(() => scaled(20, percent)).toThrow('WORKER_CONCURRENCY_PERCENT must be');
  });
});
