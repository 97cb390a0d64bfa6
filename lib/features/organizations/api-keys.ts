import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { now, timestamp } from '#lib/platform/clock.ts';
import { hashToken } from '#lib/platform/crypto/one-time-token.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { keys, ranges } from '#lib/platform/db/keys.ts';
import { get, getMany, query } from '#lib/platform/db/read.ts';
import { removeMany } from '#lib/platform/db/remove-many.ts';
import {
  type Alongside,
  change,
  count,
  create,
  discard,
  remove,
  type StoredItem,
  type Write,
  write,
} from '#lib/platform/db/write.ts';
import { badRequest, forbidden, notFound, requireFound } from '#lib/platform/errors/failures.ts';
import { type ApiKey, newApiKey } from '#lib/platform/identity/api-key.ts';
import type { Membership } from '#lib/platform/identity/identity.ts';
import { ranksAtLeast } from '#lib/platform/identity/roles.ts';
import { newId } from '#lib/platform/ids.ts';
import { planQuotaRelease, planQuotaUse } from '#lib/platform/quotas/quotas.ts';
import type { createApiKey as createContract } from '#schemas/api-keys.ts';
import type { BodyOf, Role } from '#schemas/contract.ts';
import { planOrganizationExists } from './organizations.ts';

/** The organization's reference to a key, whose record is stored under the key's hash. */
type ApiKeyEntry = Pick<ApiKey, 'apiKeyId' | 'organizationId' | 'keyHash' | 'createdById'>;

type CreatedKey = { readonly apiKey: ApiKey; readonly key: string };

const insufficient = () => forbidden('Insufficient permissions for this operation');

const counterOf = (organizationId: string) => keys.counter(organizationId, 'API_KEYS');

export function presentApiKey(apiKey: ApiKey) {
  return { ...apiKey, id: apiKey.apiKeyId, role: apiKey.role as Exclude<Role, 'OWNER'> };
}

function listEntries(organizationId: string): Promise<readonly ApiKeyEntry[]> {
  return query<ApiKeyEntry>(ranges.apiKeyEntries(organizationId), { newestFirst: true });
}

/** Returns all keys, newest first, including expired ones. */
export async function listApiKeys(organizationId: string): Promise<readonly ApiKey[]> {
  const entries = await listEntries(organizationId);
  const found = await getMany<ApiKey>(entries.map(({ keyHash }) => keys.apiKey(keyHash)));

  return found.filter((apiKey) => apiKey !== undefined);
}

/**
 * Creates a key. Only its hash is stored.
 *
 * @throws 400 if `expiresAt` is not in the future, 403 if the role is above the creator's, 409 if the
 *   quota is used up.
 */
export async function createApiKey(
  organizationId: string,
  creator: Pick<Membership, 'userId' | 'role'>,
  { name, role, expiresAt }: BodyOf<typeof createContract>,
  alongside: Alongside<CreatedKey>,
): Promise<CreatedKey> {
  if (typeof expiresAt === 'string' && Date.parse(expiresAt) <= now()) {
    throw badRequest('expiresAt must be in the future');
  }
  if (!ranksAtLeast(creator.role, role)) {
    throw forbidden('You cannot create a key with a role above your own');
  }
  const key = newApiKey();
  const apiKey: ApiKey = {
    apiKeyId: newId(),
    organizationId,
    name,
    role,
    createdById: creator.userId,
    creatorRole: creator.role,
    keyHash: hashToken(key),
    prefix: key.slice(0, 8),
    createdAt: timestamp(),
    ...(expiresAt ? { expiresAt } : {}),
  };
  await write(...(await alongside({ apiKey, key })), ...planCreation(apiKey));

  return { apiKey, key };
}

/**
 * A concurrent change of the creator's role, or their removal, sees the new version and includes the
 * key.
 */
function planCreation(apiKey: ApiKey): readonly Write[] {
  const { organizationId, apiKeyId, keyHash, createdById, creatorRole, name, role } = apiKey;
  const entry: ApiKeyEntry = { apiKeyId, organizationId, keyHash, createdById };

  return [
    create(keys.apiKey(keyHash), apiKey),
    create(keys.apiKeyEntry(organizationId, apiKeyId), entry),
    planQuotaUse(counterOf(organizationId), 'apiKeys'),
    planOrganizationExists(organizationId),
    change(keys.member(organizationId, createdById), {
      add: { inviteVersion: 1 },
      when: equals('role', creatorRole),
      refused: (stored: StoredItem | undefined) =>
        stored ? insufficient() : notFound('Organization'),
    }),
    ...planAudit(organizationId, {
      action: 'api_key.created',
      actorId: createdById,
      targetType: 'api_key',
      targetId: apiKeyId,
      details: { name, role },
    }),
  ];
}

/** Ends a key: its next request is rejected. @throws 404 */
export async function revokeApiKey(
  organizationId: string,
  actorId: string,
  apiKeyId: string,
): Promise<void> {
  const entryKey = keys.apiKeyEntry(organizationId, apiKeyId);
  const { keyHash } = requireFound(await get<ApiKeyEntry>(entryKey), 'Key');
  await write(
    remove(entryKey, { refused: () => notFound('Key') }),
    discard(keys.apiKey(keyHash)),
    planQuotaRelease(counterOf(organizationId)),
    ...planAudit(organizationId, {
      action: 'api_key.revoked',
      actorId,
      targetType: 'api_key',
      targetId: apiKeyId,
    }),
  );
}

async function entriesOf(organizationId: string, userId: string): Promise<readonly ApiKeyEntry[]> {
  return (await listEntries(organizationId)).filter(({ createdById }) => createdById === userId);
}

/**
 * Plans the new limit of a member's keys, for the transaction that changes the role. The writes throw
 * ConditionNotMetError if a key was revoked concurrently: retry.
 */
export async function planCreatorRole(
  organizationId: string,
  userId: string,
  creatorRole: Role,
): Promise<readonly Write[]> {
  return (await entriesOf(organizationId, userId)).map(({ keyHash }) =>
    change(keys.apiKey(keyHash), { set: { creatorRole } }),
  );
}

/**
 * Plans to revoke a member's keys, for the transaction that removes the member. The writes throw
 * ConditionNotMetError if a key was revoked concurrently: retry.
 */
export async function planKeyRevocations(organizationId: string, userId: string) {
  const entries = await entriesOf(organizationId, userId);
  if (entries.length === 0) {
    return { writes: [], details: {} };
  }

  return {
    writes: [
      ...entries.flatMap(({ apiKeyId, keyHash }) => [
        remove(keys.apiKeyEntry(organizationId, apiKeyId)),
        discard(keys.apiKey(keyHash)),
      ]),
      count(counterOf(organizationId), { value: -entries.length }),
    ],
    details: { revokedApiKeys: entries.length },
  };
}

/** Removes all keys of a deleted organization. The references go last, to find the rest again. */
export async function removeApiKeys(organizationId: string): Promise<void> {
  const entries = await listEntries(organizationId);
  await removeMany(entries.map(({ keyHash }) => keys.apiKey(keyHash)));
  await removeMany(entries.map(({ apiKeyId }) => keys.apiKeyEntry(organizationId, apiKeyId)));
}
