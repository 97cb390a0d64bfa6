import { revokeApiKey } from '#lib/features/organizations/api-keys.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/api-keys.ts';

export const handler = endpoint(
  contracts.revokeApiKey,
  async ({ organizationId, caller, params }) => {
    await revokeApiKey(organizationId, caller.userId, params.key_id);
  },
);
