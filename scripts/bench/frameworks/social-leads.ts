import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { config } from '#lib/platform/config.ts';
import { documentClient } from '#lib/platform/db/client.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { create, write } from '#lib/platform/db/write.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { newId } from '#lib/platform/ids.ts';
import { contract, signedIn } from '#schemas/contract.ts';
import { replaceSend } from '../calls/tap-table.ts';
import { leadBody } from './lead-work.ts';
import { session } from './request.ts';

const createLead = contract({
  operationId: 'createLead',
  area: 'leads',
  method: 'POST',
  path: '/leads',
  summary: 'Create a lead',
  access: signedIn,
  body: leadBody,
  status: 201,
  response: z.object({ lead: leadBody.extend({ id: z.string() }), message: z.string() }),
});

const storedSession = {
  ...keys.session(session.userId, session.sessionId),
  userId: session.userId,
  sessionId: session.sessionId,
  lastActiveAt: new Date().toISOString(),
};
replaceSend(documentClient, async (command) =>
  command instanceof PutCommand ? {} : { Responses: { [config.tableName]: [storedSession] } },
);
replaceSend(SecretsManagerClient.prototype, async () => ({
  SecretString: JSON.stringify({
    jwtKeys: [{ kid: session.keyId, secret: session.key.toString('base64') }],
    encryptionKeys: [{ id: 'bench', key: session.key.toString('base64') }],
    stripeSecretKey: 'sk_test_bench',
  }),
}));

/** With the whole stack: session, log line, egress filter and all headers. */
export const handler = endpoint(createLead, async ({ caller, body }) => {
  const id = newId();
  await write(create(keys.consent(caller.userId, id), body));

  return { lead: { id, ...body }, message: 'Lead created successfully' };
});
