import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { now, timestamp } from '#lib/platform/clock.ts';
import { hashToken } from '#lib/platform/crypto/one-time-token.ts';
import { equals, unchanged } from '#lib/platform/db/conditions.ts';
import { organizationKeys, organizationRanges } from '#lib/platform/db/keys/organizations.ts';
import { userKeys } from '#lib/platform/db/keys/users.ts';
import { get, getMany, query } from '#lib/platform/db/read.ts';
import { removeMany } from '#lib/platform/db/remove-many.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import {
  change,
  count,
  create,
  discard,
  type ExtraWrites,
  ensure,
  remove,
  type Write,
  write,
} from '#lib/platform/db/write.ts';
import {
  forbidden,
  notFound,
  rejectProblems,
  requireFound,
  sessionInvalid,
} from '#lib/platform/errors/failures.ts';
import { newApiKey } from '#lib/platform/identity/api-key.ts';
import {
  type ApiKey,
  listMembershipsOf,
  type Membership,
  type Session,
} from '#lib/platform/identity/identity.ts';
import { newId } from '#lib/platform/ids.ts';
import { planQuotaRelease, planQuotaUse } from '#lib/platform/quotas/quotas.ts';
import type { createApiKey as createContract } from '#schemas/api-keys.ts';
import { type BodyOf, type Role, ranksAtLeast } from '#schemas/contract.ts';
import { planMemberGrant } from './member-grants.ts';
import { planOrganizationOpen } from './organizations.ts';
import type { Revocations } from './revocations.ts';

/** The organization's reference to a key. The key's record is stored under the key's hash. */
type ApiKeyEntry = Pick<ApiKey, 'apiKeyId' | 'organizationId' | 'keyHash' | 'createdById'>;

export type CreatedKey = { readonly apiKey: ApiKey; readonly key: string };

const counterOf = (organizationId: string) => organizationKeys.counter(organizationId, 'API_KEYS');

export function presentApiKey(apiKey: ApiKey) {
  const { apiKeyId, createdById } = apiKey;

  return {
    ...apiKey,
    id: apiKeyId,
    createdById: createdById === apiKeyId ? null : createdById,
    role: apiKey.role as Exclude<Role, 'OWNER'>,
  };
}

function listEntries(organizationId: string): Promise<readonly ApiKeyEntry[]> {
  return query<ApiKeyEntry>(organizationRanges.apiKeyEntries(organizationId), {
    newestFirst: true,
  });
}

/** Returns all keys, newest first, including expired ones. */
export async function listApiKeys(organizationId: string): Promise<readonly ApiKey[]> {
  const entries = await listEntries(organizationId);
  const found = await getMany<ApiKey>(
    entries.map(({ keyHash }) => organizationKeys.apiKey(keyHash)),
  );

  return found.filter((apiKey) => apiKey !== undefined);
}

/** Returns the reason why a key cannot expire at this time. */
export function expiryProblems(expiresAt: string | null | undefined): readonly string[] {
  return !expiresAt || Date.parse(expiresAt) > now() ? [] : ['expiresAt must be in the future'];
}

/**
 * Creates a key. Only its hash is stored.
 *
 * @throws 400 if `expiresAt` is not in the future, 403 if the role is above the creator's, 409 if
 * the quota is exceeded, 401 if the creator's session has ended, because a user who lost access
 * must not leave a key behind.
 */
export async function createApiKey(
  organizationId: string,
  creator: Pick<Membership, 'userId' | 'role'> & Pick<Session, 'sessionId'>,
  { name, role, expiresAt }: BodyOf<typeof createContract>,
  extraWrites: ExtraWrites<CreatedKey>,
): Promise<CreatedKey> {
  rejectProblems(expiryProblems(expiresAt));
  if (!ranksAtLeast(creator.role, role)) {
    throw forbidden('You cannot create a key with a role above your own');
  }
  const { apiKey, key } = newApiKeyOf(
    organizationId,
    { name, role, ...(expiresAt ? { expiresAt } : {}) },
    creator,
  );
  await write(
    ...(await extraWrites({ apiKey, key })),
    ...planCreation(apiKey),
    ensure(userKeys.session(creator.userId, creator.sessionId), {
      onConditionFailed: () => sessionInvalid(),
    }),
  );

  return { apiKey, key };
}

/** Returns a new key. An operator's key has no creator, so its own id is stored instead. */
export function newApiKeyOf(
  organizationId: string,
  details: Pick<ApiKey, 'name' | 'role' | 'expiresAt'>,
  creator?: Pick<Membership, 'userId' | 'role'>,
): CreatedKey {
  const key = newApiKey();
  const apiKeyId = newId();
  const apiKey: ApiKey = {
    apiKeyId,
    organizationId,
    ...details,
    createdById: creator?.userId ?? apiKeyId,
    creatorRole: creator?.role ?? details.role,
    keyHash: hashToken(key),
    prefix: key.slice(0, 8),
    createdAt: timestamp(),
  };

  return { apiKey, key };
}

/** The key contains its creator's role, so the role must be unchanged. */
function planCreation(apiKey: ApiKey): readonly Write[] {
  const { organizationId, apiKeyId, createdById, creatorRole, name, role } = apiKey;

  return [
    ...planKey(apiKey),
    planOrganizationOpen(organizationId),
    planMemberGrant(
      organizationId,
      { userId: createdById, role: creatorRole },
      equals('role', creatorRole),
    ),
    ...planAudit(organizationId, {
      action: 'api_key.created',
      actorId: createdById,
      targetId: apiKeyId,
      details: { name, role },
    }),
  ];
}

/** Plans a key, and counts it against the quota. */
export function planKey(apiKey: ApiKey): readonly Write[] {
  const { organizationId, apiKeyId, keyHash, createdById } = apiKey;
  const entry: ApiKeyEntry = { apiKeyId, organizationId, keyHash, createdById };

  return [
    create(organizationKeys.apiKey(keyHash), apiKey),
    create(organizationKeys.apiKeyEntry(organizationId, apiKeyId), entry),
    planQuotaUse(counterOf(organizationId), 'apiKeys'),
  ];
}

/**
 * Revokes a key: its next request is rejected.
 *
 * @throws 404
 */
export async function revokeApiKey(
  organizationId: string,
  actorId: string,
  apiKeyId: string,
): Promise<void> {
  const entryKey = organizationKeys.apiKeyEntry(organizationId, apiKeyId);
  const { keyHash } = requireFound(await get<ApiKeyEntry>(entryKey), 'Key');
  await write(
    remove(entryKey, { onConditionFailed: () => notFound('Key') }),
    discard(organizationKeys.apiKey(keyHash)),
    planQuotaRelease(counterOf(organizationId)),
    ...planAudit(organizationId, {
      action: 'api_key.revoked',
      actorId,
      targetId: apiKeyId,
    }),
  );
}

async function entriesOf(organizationId: string, userId: string): Promise<readonly ApiKeyEntry[]> {
  return (await listEntries(organizationId)).filter(({ createdById }) => createdById === userId);
}

/**
 * Plans the new role limit of a member's keys, in the transaction that changes the role. The writes
 * throw ConditionNotMetError if a key was revoked concurrently: retry.
 */
export async function planCreatorRole(
  organizationId: string,
  userId: string,
  creatorRole: Role,
): Promise<readonly Write[]> {
  return (await entriesOf(organizationId, userId)).map(({ keyHash }) =>
    change(organizationKeys.apiKey(keyHash), { set: { creatorRole } }),
  );
}

/**
 * Plans to revoke a member's keys, in the transaction that removes the member. The writes throw
 * ConditionNotMetError if a key was revoked concurrently: retry.
 */
export async function planKeyRevocations(organizationId: string, userId: string) {
  return planRevocation(organizationId, await entriesOf(organizationId, userId));
}

function planRevocation(organizationId: string, entries: readonly ApiKeyEntry[]): Revocations {
  if (entries.length === 0) {
    return { writes: [], details: {} };
  }

  return {
    writes: [
      ...entries.flatMap(({ apiKeyId, keyHash }) => [
        remove(organizationKeys.apiKeyEntry(organizationId, apiKeyId)),
        discard(organizationKeys.apiKey(keyHash)),
      ]),
      count(counterOf(organizationId), { value: -entries.length }),
    ],
    details: { revokedApiKeys: entries.length },
  };
}

/** Leaves room for the other writes of the transaction. */
const maxGuards = 30;

/**
 * Plans conditions that fail if the user creates an API key after this call, in the first
 * organizations. Call it before `endKeysOf`.
 */
export async function planNoNewKeys(userId: string): Promise<readonly Write[]> {
  const memberships = await getMany<Membership>(
    (await listMembershipsOf(userId)).map(({ organizationId }) =>
      organizationKeys.member(organizationId, userId),
    ),
  );

  return memberships
    .filter((membership) => membership !== undefined)
    .filter(({ role }) => ranksAtLeast(role, 'ADMIN'))
    .slice(0, maxGuards)
    .map(({ organizationId, inviteVersion }) =>
      ensure(organizationKeys.member(organizationId, userId), {
        when: unchanged('inviteVersion', inviteVersion),
      }),
    );
}

/**
 * Revokes the keys that a user created after `since`, in all organizations. Call it directly before
 * a transaction that ends the user's sessions, with the conditions from `planNoNewKeys`.
 */
export async function endKeysOf(userId: string, since = ''): Promise<void> {
  for (const { organizationId } of await listMembershipsOf(userId)) {
    await retryWhenOvertaken('API keys', () => endKeysIn(organizationId, userId, since));
  }
}

async function endKeysIn(organizationId: string, userId: string, since: string): Promise<void> {
  const made = (await listApiKeys(organizationId)).filter(
    ({ createdById, createdAt }) => createdById === userId && createdAt > since,
  );
  const { writes, details } = planRevocation(organizationId, made);
  if (writes.length > 0) {
    await write(
      ...writes,
      ...planAudit(organizationId, {
        action: 'api_key.revoked',
        actorId: userId,
        targetType: 'member',
        targetId: userId,
        details,
      }),
    );
  }
}

/**
 * Removes all keys of a deleted organization. The references are removed last, because they find
 * the rest.
 */
export async function removeApiKeys(organizationId: string): Promise<void> {
  const entries = await listEntries(organizationId);
  await removeMany(entries.map(({ keyHash }) => organizationKeys.apiKey(keyHash)));
  await removeMany(
    entries.map(({ apiKeyId }) => organizationKeys.apiKeyEntry(organizationId, apiKeyId)),
  );
}
