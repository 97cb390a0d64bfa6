import { connectSocialAccount } from '#schemas/social.ts';
import { type Connection, connectionBody } from '#scripts/fixtures/social-accounts.ts';
import { call } from './api.ts';

/** Connects an account of the network sandbox through the endpoint. */
export async function connectAccount(token: string, connection: Connection = {}) {
  const body = await connectionBody(connection);
  const answer = await call(connectSocialAccount, { token, body });
  if (answer.status !== 201) {
    throw new Error(`Connecting answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  }
  const { id, organizationId } = answer.body.socialAccount;

  return { id, organizationId, params: { account_id: id as string }, ...body };
}
