import { listConsents } from '#lib/features/accounts/consents.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/auth.ts';

export const handler = endpoint(contracts.listConsents, async ({ caller }) => {
  const consents = await listConsents(caller.userId);

  return { consents, total: consents.length };
});
