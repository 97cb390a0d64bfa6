import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { leadBody, saveLead, verifyToken } from './lead-work.ts';

export async function handler({ headers, body }: APIGatewayProxyEventV2) {
  const userId = verifyToken(headers.authorization);
  const answer = await saveLead(userId, leadBody.parse(JSON.parse(body ?? '')));

  return {
    statusCode: 201,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(answer),
  };
}
