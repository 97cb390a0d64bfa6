import { timestamp } from '#lib/platform/clock.ts';
import { hashToken, newOneTimeToken } from '#lib/platform/crypto/one-time-token.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { get } from '#lib/platform/db/read.ts';
import { ranksAtLeast } from '#schemas/contract.ts';
import type { ApiKey, Identity, Membership } from './identity.ts';

const format = /^sl_[A-Za-z0-9_-]{43}$/;

export function isApiKey(token: string): boolean {
  return format.test(token);
}

export function newApiKey(): string {
  return `sl_${newOneTimeToken()}`;
}

export function isExpired({ expiresAt }: ApiKey): boolean {
  return typeof expiresAt === 'string' && expiresAt <= timestamp();
}

/** Returns the membership of a key, with the lower of the key's role and its creator's role. */
export function membershipOfKey(apiKey: ApiKey): Membership {
  const { organizationId, createdById, role, creatorRole, createdAt, isSuspended } = apiKey;

  return {
    organizationId,
    userId: createdById,
    role: ranksAtLeast(creatorRole, role) ? role : creatorRole,
    joinedAt: createdAt,
    ...(isSuspended ? { isSuspended } : {}),
  };
}

/**
 * Loads a key in one read. Its membership applies if the request names the key's organization or
 * none (`'its own'`).
 */
export async function loadKeyIdentity(
  key: string,
  organizationId: string | 'its own' | undefined,
): Promise<Identity> {
  const apiKey = await get<ApiKey>(organizationKeys.apiKey(hashToken(key)));
  if (!apiKey || isExpired(apiKey)) {
    return { session: undefined, membership: undefined };
  }
  const applies = organizationId === 'its own' || organizationId === apiKey.organizationId;

  return {
    session: undefined,
    apiKey,
    membership: applies ? membershipOfKey(apiKey) : undefined,
  };
}
