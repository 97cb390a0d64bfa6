import { createApiKey, presentApiKey } from '#lib/features/organizations/api-keys.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/api-keys.ts';

export const handler = endpoint(
  contracts.createApiKey,
  async ({ organizationId, role, caller, body, once }) => {
    const creator = { userId: caller.userId, role };
    const { apiKey, key } = await once((alongside) =>
      createApiKey(organizationId, creator, body, alongside),
    );

    return { apiKey: presentApiKey(apiKey), key };
  },
);
