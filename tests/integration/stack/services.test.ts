import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, inject, test } from 'vitest';
import { queueName } from '#schemas/contract.ts';
import { workers } from '#schemas/index.ts';
import { platforms } from '#schemas/platforms.ts';

describe('the test environment', () => {
  test('names an existing table', async () => {
    const client = new DynamoDBClient({ endpoint: String(process.env.DYNAMODB_ENDPOINT) });

    const { Table } = await client.send(
      new DescribeTableCommand({ TableName: process.env.TABLE_NAME }),
    );

    expect(Table?.TableStatus).toBe('ACTIVE');
  });

  test.each(workers)(
    'has the queue of $name, with a dead-letter queue after $maxReceiveCount attempts',
    async (worker) => {
      const { name, inOrder, maxReceiveCount } = worker;
      const deadLetters = queueName({ name: `${name}-dlq`, ...(inOrder ? { inOrder } : {}) });
      const endpoint = String(inject('environment').SQS_ENDPOINT);
      const client = new SQSClient({ endpoint });

      const { Attributes } = await client.send(
        new GetQueueAttributesCommand({
          QueueUrl: `${endpoint}/000000000000/social-leads-test-${queueName(worker)}`,
          AttributeNames: ['RedrivePolicy'],
        }),
      );

      expect(JSON.parse(Attributes?.RedrivePolicy ?? 'null')).toEqual({
        deadLetterTargetArn: expect.stringMatching(
          new RegExp(`:social-leads-test-${deadLetters}$`),
        ),
        maxReceiveCount,
      });
    },
  );

  test('names a secret with every vendor key the service needs', async () => {
    const client = new SecretsManagerClient({
      endpoint: String(process.env.SECRETS_MANAGER_ENDPOINT),
    });

    const { SecretString } = await client.send(
      new GetSecretValueCommand({ SecretId: process.env.SECRET_ID }),
    );

    expect(JSON.parse(SecretString ?? 'null')).toEqual({
      jwtKeys: [{ kid: 'local', secret: expect.any(String) }],
      encryptionKeys: [{ id: 'local', key: expect.any(String) }],
      hashKey: expect.any(String),
      stripeSecretKey: expect.stringMatching(/^sk_test_/),
      stripeWebhookSecrets: [expect.any(String)],
      openaiApiKey: expect.any(String),
      networks: Object.fromEntries(
        platforms.map((platform) => [
          platform,
          expect.objectContaining({
            clientId: expect.any(String),
            clientSecret: expect.any(String),
            verifyToken: expect.any(String),
          }),
        ]),
      ),
      operatorKeys: [{ id: 'local', sha256: expect.stringMatching(/^[\da-f]{64}$/) }],
    });
  });
});
