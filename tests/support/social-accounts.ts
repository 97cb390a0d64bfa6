import { randomUUID } from 'node:crypto';
import { timestamp } from '#lib/clock.ts';
import { keys } from '#lib/db/keys.ts';
import { create, write } from '#lib/db/write.ts';
import { newId } from '#lib/ids.ts';
import { type SocialAccount, sealToken } from '#lib/social/accounts.ts';

type Overrides = Partial<SocialAccount>;

/** The organization has an account, as if it had been connected; no network knows of it. */
export async function storeSocialAccount(
  organizationId: string,
  { accessToken, refreshToken, ...overrides }: Overrides = {},
): Promise<SocialAccount> {
  const id = overrides.id ?? newId();
  const now = timestamp();
  const seal = (field: 'accessToken' | 'refreshToken', token: string) =>
    sealToken({ organizationId, id }, field, token);
  const account: SocialAccount = {
    id,
    organizationId,
    platform: 'FACEBOOK',
    platformUserId: `page-${randomUUID()}`,
    platformUserName: 'Engines on Facebook',
    permissions: [],
    isActive: true,
    accessToken: await seal('accessToken', accessToken ?? `token-${id}`),
    ...(refreshToken ? { refreshToken: await seal('refreshToken', refreshToken) } : {}),
    tokenVersion: 1,
    tokenIssuedAt: now,
    createdAt: now,
    updatedAt: now,
    ...overrides,
  };
  await write(
    create(keys.socialAccount(organizationId, id), account),
    create(keys.socialAccountClaim(account.platform, account.platformUserId), {
      organizationId,
      accountId: id,
    }),
  );

  return account;
}
