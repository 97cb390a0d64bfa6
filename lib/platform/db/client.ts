import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { clientSettings } from '#lib/platform/aws/client-settings.ts';
import { ticksMs } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { recordQuery } from '#lib/platform/metrics/buffer.ts';
import { maxAttempts, retryStrategy } from './retry-strategy.ts';

export const documentClient = DynamoDBDocumentClient.from(
  new DynamoDBClient({
    ...clientSettings({
      endpoint: config.dynamodbEndpoint,
      connectMs: config.tableTimeoutMs / 4,
      requestMs: config.tableTimeoutMs,
      maxAttempts,
    }),
    accountIdEndpointMode: 'disabled',
    endpointDiscoveryEnabled: false,
    retryStrategy,
  }),
  { marshallOptions: { removeUndefinedValues: true } },
);

documentClient.middlewareStack.add(
  (next) => async (call) => {
    const beganAtMs = ticksMs();
    try {
      return await next(call);
    } finally {
      recordQuery(ticksMs() - beganAtMs);
    }
  },
  { step: 'initialize', name: 'recordQuery' },
);
