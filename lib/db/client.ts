import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { config } from '#lib/config.ts';
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
