import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { BatchGetCommand, DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import jwt from 'jsonwebtoken';
import * as z from 'zod';

const table = process.env.TABLE_NAME ?? '';
const client = DynamoDBDocumentClient.from(
  new DynamoDBClient({ endpoint: process.env.DYNAMODB_ENDPOINT ?? '' }),
);
const secrets = new SecretsManagerClient({
  endpoint: process.env.SECRETS_MANAGER_ENDPOINT ?? '',
});

const path = z.object({ organization_id: z.uuid(), lead_id: z.uuid() });
const answer = z.object({
  success: z.literal(true),
  lead: z.object({
    id: z.uuid(),
    status: z.string(),
    source: z.string(),
    createdAt: z.iso.datetime(),
  }),
});

/**
 * A framework-free reference handler that does everything that any authenticated read of a lead
 * needs. It reads the key from the secret, verifies the token, loads session, membership and lead,
 * and formats the response with its schema.
 */
export async function handler({ headers, pathParameters }: APIGatewayProxyEventV2) {
  const { SecretString = '' } = await secrets.send(
    new GetSecretValueCommand({ SecretId: process.env.SECRET_ID }),
  );
  const { jwtKeys } = JSON.parse(SecretString);
  const token = (headers.authorization ?? '').replace('Bearer ', '');
  const { sub, sid } = jwt.verify(token, Buffer.from(jwtKeys[0].secret, 'base64'), {
    algorithms: ['HS256'],
  }) as jwt.JwtPayload;
  const { organization_id: organizationId, lead_id: leadId } = path.parse(pathParameters);
  const [{ Responses = {} }, { Items = [] }] = await Promise.all([
    client.send(
      new BatchGetCommand({
        RequestItems: {
          [table]: {
            Keys: [
              { pk: `USER#${sub}`, sk: `SESSION#${sid}` },
              { pk: `ORG#${organizationId}`, sk: `MEMBER#${sub}` },
            ],
          },
        },
      }),
    ),
    client.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': `ORG#${organizationId}#LEAD#${leadId}` },
      }),
    ),
  ]);
  if (Responses[table]?.length !== 2) {
    throw new Error('Not signed in');
  }

  return { statusCode: 200, body: JSON.stringify(answer.parse({ success: true, lead: Items[0] })) };
}
