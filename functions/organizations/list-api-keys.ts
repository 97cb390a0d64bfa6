import { listApiKeys, presentApiKey } from '#lib/features/organizations/api-keys.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/api-keys.ts';

export const handler = endpoint(contracts.listApiKeys, async ({ organizationId }) => {
  const apiKeys = await listApiKeys(organizationId);

  return { apiKeys: apiKeys.map(presentApiKey), total: apiKeys.length };
});
