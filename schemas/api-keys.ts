import { id, momentInAnyZone, name, optional, orNull, timestamp, total } from './common.ts';
import { contract, memberOfPath, peopleOnly, roles } from './contract.ts';
import * as z from './zod.ts';

export const apiKeyId = id('0192f0c1-7b60-7f66-9199-a2b3c4d5e6f7');

const keyRole = z.enum(roles).exclude(['OWNER']).meta({ example: 'MEMBER' });

export const apiKey = z
  .object({
    id: apiKeyId,
    name: name({ example: 'Nightly lead sync' }),
    role: keyRole,
    prefix: z
      .string()
      .meta({ description: 'The first 8 characters of the key', example: 'sl_Jq3xT' }),
    createdById: orNull(
      id('0192f0c1-7b5a-7c3e-9d2f-3a5b8c1d4e6f').meta({ description: 'Null for the operator' }),
    ),
    lastUsedAt: orNull(timestamp().meta({ description: 'Accurate to 15 minutes' })),
    expiresAt: orNull(timestamp('2035-01-15T09:30:00.000Z')),
    createdAt: timestamp(),
  })
  .meta({ id: 'ApiKey' });

export const newKey = z
  .string()
  .meta({ example: 'sl_Jq3xTm0vW8yB2dF6hK9nP4rS7uX1zA5cE-gI_lO3qTw' });

const manageKeys = peopleOnly(memberOfPath('ADMIN', 'Only owners and admins can manage API keys'));

export const createApiKey = contract({
  operationId: 'createApiKey',
  method: 'POST',
  path: '/organizations/{organization_id}/api-keys',
  summary: 'Create an API key',
  description:
    'The response shows the key once; only its hash is stored. The key acts in this organization, with the lower of its role and the current role of its creator. It is revoked when the creator leaves or is removed.',
  access: manageKeys,
  body: z.object({
    name: name({ example: 'Nightly lead sync' }),
    role: keyRole,
    expiresAt: optional(
      momentInAnyZone('2035-01-15T09:30:00.000Z', 'In the future. Never by default'),
    ),
  }),
  status: 201,
  response: z.object({
    apiKey,
    key: newKey,
  }),
  message: 'API key created successfully',
  errors: ['QUOTA_EXCEEDED'],
});

export const listApiKeys = contract({
  operationId: 'listApiKeys',
  path: '/organizations/{organization_id}/api-keys',
  summary: 'List the API keys of an organization',
  description: 'Newest first. Expired keys are listed until they are deleted.',
  access: manageKeys,
  response: z.object({ apiKeys: z.array(apiKey), total }),
  message: 'API keys retrieved successfully',
});

export const revokeApiKey = contract({
  operationId: 'revokeApiKey',
  method: 'DELETE',
  path: '/organizations/{organization_id}/api-keys/{key_id}',
  summary: 'Revoke an API key',
  description: "The key's next request is rejected.",
  access: manageKeys,
  message: 'API key revoked successfully',
  errors: ['API_KEY_NOT_FOUND'],
});
