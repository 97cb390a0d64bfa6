import { Router } from '@aws-lambda-powertools/event-handler/http';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { leadBody, saveLead, verifyToken } from './lead-work.ts';

const app = new Router();

app.post('/leads', async ({ req }) => {
  const userId = verifyToken(req.headers.get('authorization') ?? undefined);
  const body = leadBody.parse(await req.json());

  return Response.json(await saveLead(userId, body), { status: 201 });
});

export function handler(event: APIGatewayProxyEventV2, context: Context) {
  return app.resolve(event, context);
}
