import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { config } from '#lib/config.ts';

/**
 * Six tries with the SDK's backoff take about three seconds: what is throttled for longer than that
 * becomes a 503.
 */
export const documentClient = DynamoDBDocumentClient.from(
  new DynamoDBClient({
    maxAttempts: 6,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000 },
    ...(config.dynamodbEndpoint ? { endpoint: config.dynamodbEndpoint } : {}),
  }),
  { marshallOptions: { removeUndefinedValues: true } },
);
