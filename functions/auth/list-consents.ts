import { listAcceptedTerms } from '#lib/features/auth/accepted-terms.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/auth.ts';

export const handler = endpoint(contracts.listConsents, async ({ caller }) => {
  const consents = await listAcceptedTerms(caller.userId);

  return { consents, total: consents.length };
});
