import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';

const client = DynamoDBDocumentClient.from(
  new DynamoDBClient({ endpoint: process.env.DYNAMODB_ENDPOINT ?? '' }),
);

/** The minimal function with a table: one client, one command, no middleware. */
export async function handler() {
  const { Item } = await client.send(
    new GetCommand({
      TableName: process.env.TABLE_NAME,
      Key: { pk: 'BARE', sk: 'ITEM' },
      ConsistentRead: true,
    }),
  );

  return { statusCode: 200, body: JSON.stringify({ success: true, item: Item ?? null }) };
}
