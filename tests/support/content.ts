import { randomUUID } from 'node:crypto';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { newId } from '#lib/platform/ids.ts';
import { sandbox } from './mails.ts';
import { storeSocialAccount } from './social-accounts.ts';

/** Returns the intent of a request without an `Idempotency-Key`. */
export function newIntent() {
  return { id: newId(), isRepeated: false };
}

/** Stores an account for the organization that the network sandbox knows. */
export async function connectedAccount(
  organizationId: string,
  overrides: Partial<SocialAccount> = {},
): Promise<SocialAccount> {
  const { platform = 'FACEBOOK', platformUserId = `page-${randomUUID()}` } = overrides;
  const { accessToken } = await sandbox.network(platform).issueTokens({ userId: platformUserId });

  return storeSocialAccount(organizationId, {
    accessToken,
    platform,
    platformUserId,
    ...overrides,
  });
}
