import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { ticksMs } from '#lib/clock.ts';
import { config } from '#lib/config.ts';
import { recordQuery } from '#lib/metrics/buffer.ts';
import { retryStrategy } from './retry-strategy.ts';

export const documentClient = DynamoDBDocumentClient.from(
  new DynamoDBClient({
    retryStrategy,
    requestHandler: {
      connectionTimeout: config.tableTimeoutMs / 4,
      requestTimeout: config.tableTimeoutMs,
      throwOnRequestTimeout: true,
    },
    ...(config.dynamodbEndpoint ? { endpoint: config.dynamodbEndpoint } : {}),
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
