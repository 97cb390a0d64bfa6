import { createSecretKey, randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import jwt from 'jsonwebtoken';
import * as z from 'zod';
import { replaceSend } from '../calls/tap-table.ts';
import { session } from './request.ts';

/** What the write does, in every framework alike. */
export const leadBody = z.object({
  name: z.string().min(1).max(100),
  email: z.email().max(254),
  source: z.string().min(1).max(50),
  value: z.int().min(0).optional(),
  notes: z.string().max(5_000).optional(),
});

export type LeadBody = z.output<typeof leadBody>;

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
replaceSend(client, async () => ({}));

const signingKey = createSecretKey(session.key);

export class NotSignedIn extends Error {}

/** @throws NotSignedIn */
export function verifyToken(authorization: string | undefined): string {
  const token = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1];
  if (!token) {
    throw new NotSignedIn('Authentication required');
  }
  const claims = jwt.verify(token, signingKey, {
    algorithms: ['HS256'],
    issuer: session.issuer,
    audience: session.audience,
  });

  return String(claims.sub);
}

export async function saveLead(userId: string, lead: LeadBody) {
  const id = randomUUID();
  const item = { pk: `USER#${userId}`, sk: `LEAD#${id}`, ...lead };
  await client.send(new PutCommand({ TableName: 'bench', Item: item }));

  return { success: true, lead: { id, ...lead }, message: 'Lead created successfully' };
}
