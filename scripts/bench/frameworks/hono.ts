import { Hono } from 'hono';
import { handle } from 'hono/aws-lambda';
import { leadBody, saveLead, verifyToken } from './lead-work.ts';

const app = new Hono();

app.post('/leads', async (context) => {
  const userId = verifyToken(context.req.header('authorization'));
  const body = leadBody.parse(await context.req.json());

  return context.json(await saveLead(userId, body), 201);
});

export const handler = handle(app);
