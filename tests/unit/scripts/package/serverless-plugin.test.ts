import { describe, expect, it } from 'vitest';
import type { Resources } from '#scripts/build/package/fold-gateway.ts';
import { scaleConcurrency } from '#scripts/build/package/scale-concurrency.ts';
import ServerlessPlugin from '#scripts/build/package/serverless-plugin.ts';

type Serverless = ConstructorParameters<typeof ServerlessPlugin>[0];

function serverlessWith(rollbackMinutes: string): Serverless {
  return {
    service: {
      custom: { apiDomain: '', workerConcurrencyPercent: '100', rollbackMinutes },
      functions: {},
      provider: { compiledCloudFormationTemplate: { Resources: {} } },
    },
    getProvider: () => ({
      getStage: () => 'prod',
      getRegion: () => 'eu-central-1',
      getAccountInfo: async () => ({ accountId: '123456789012', partition: 'aws' }),
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
