import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, describe, expect, it } from 'vitest';
import type { Resources } from '#scripts/build/package/fold-gateway.ts';
import { nestAlarms } from '#scripts/build/package/nest-alarms.ts';
import { scaleConcurrency } from '#scripts/build/package/scale-concurrency.ts';
import ServerlessPlugin from '#scripts/build/package/serverless-plugin.ts';

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

describe('the alarms', () => {
  const topic = { Ref: 'AlarmTopic' };
  const queueName = { 'Fn::GetAtt': ['RepliesQueue', 'QueueName'] };
  const alarm = (properties: object) => ({
    Type: 'AWS::CloudWatch::Alarm',
    Properties: { AlarmActions: [topic], ...properties },
  });

  it('move to a nested stack, apart from those with a name', () => {
    const resources: Resources = {
      ApiFailuresAlarm: alarm({ AlarmName: 'failures' }),
      RepliesAgeAlarm: alarm({ Dimensions: [{ Name: 'QueueName', Value: queueName }] }),
      SpendAlarm: alarm({ Threshold: 1, Region: { Ref: 'AWS::Region' } }),
      AlarmTopic: { Type: 'AWS::SNS::Topic', Properties: {} },
    };

    expect(nestAlarms(resources, 'some/key.json')).toEqual({
      AWSTemplateFormatVersion: '2010-09-09',
      Parameters: { AlarmTopic: { Type: 'String' }, RepliesQueueQueueName: { Type: 'String' } },
      Resources: {
        RepliesAgeAlarm: alarm({
          Dimensions: [{ Name: 'QueueName', Value: { Ref: 'RepliesQueueQueueName' } }],
        }),
        SpendAlarm: alarm({ Threshold: 1, Region: { Ref: 'AWS::Region' } }),
      },
    });
    expect(Object.keys(resources)).toEqual(['ApiFailuresAlarm', 'AlarmTopic', 'Alarms']);
    expect(resources.Alarms?.Properties).toMatchObject({
      TemplateURL: { 'Fn::Sub': expect.stringMatching(/^https:.*\/some\/key\.json$/) },
      Parameters: { AlarmTopic: topic, RepliesQueueQueueName: queueName },
    });
  });

  it('are uploaded to the place that the stack names', async () => {
    const s3 = mockClient(S3Client).on(PutObjectCommand).resolves({});
    const serverless = serverlessWith('0');
    const { Resources } = serverless.service.provider.compiledCloudFormationTemplate;
    Resources.SpendAlarm = alarm({});
    const { hooks } = new ServerlessPlugin(serverless);

    await hooks['after:aws:package:finalize:mergeCustomProviderResources']?.();
    await hooks['after:aws:deploy:deploy:uploadArtifacts']?.();

    const [{ Bucket, Key, Body } = {}] = s3
      .commandCalls(PutObjectCommand)
      .map(({ args }) => args[0].input);
    expect(Bucket).toBe('deployments');
    expect(JSON.stringify(Resources.Alarms)).toContain(`/${Key}"`);
    expect(JSON.parse(String(Body))).toMatchObject({
      Resources: { SpendAlarm: { Type: 'AWS::CloudWatch::Alarm' } },
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
