import {
  createApiKey,
  expiryProblems,
  presentApiKey,
} from '#lib/features/organizations/api-keys.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/api-keys.ts';

export const handler = endpoint(
  contracts.createApiKey,
  async ({ organizationId, role, caller, body, idempotently }) => {
    const { userId, sessionId } = caller;
    const creator = { userId, sessionId, role };
    const { apiKey, key } = await idempotently((extraWrites) =>
      createApiKey(organizationId, creator, body, extraWrites),
    );

    return { apiKey: presentApiKey(apiKey), key };
  },
  { timeRules: ({ body }) => expiryProblems(body.expiresAt) },
);
