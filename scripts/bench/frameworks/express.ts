import express from 'express';
import serverless from 'serverless-http';
import { leadBody, saveLead, verifyToken } from './lead-work.ts';

const app = express();
app.use(express.json());
app.post('/leads', async (request, response) => {
  const userId = verifyToken(request.headers.authorization);
  const body = leadBody.parse(request.body);
  response.status(201).json(await saveLead(userId, body));
});

export const handler = serverless(app);
