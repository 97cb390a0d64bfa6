import { randomInt, randomUUID } from 'node:crypto';
import { type SocialAccount, sealToken } from '#lib/features/social/accounts/accounts.ts';
import {
  messagingFields,
  planMessagingCredential,
} from '#lib/features/social/connection/messaging-credential.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, create, write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import type { Platform } from '#schemas/platforms.ts';
import { connectSocialAccount } from '#schemas/social.ts';
import { call } from './api.ts';
import { sandbox } from './mails.ts';

type Overrides = Partial<SocialAccount>;

/** Stores an account as if it had been connected. No network knows it. */
export async function storeSocialAccount(
  organizationId: string,
  { accessToken, refreshToken, ...overrides }: Overrides = {},
): Promise<SocialAccount> {
  const id = overrides.id ?? newId();
  const key = keys.socialAccount(organizationId, id);
  const now = timestamp();
  const seal = (field: 'accessToken' | 'refreshToken', token: string) =>
    sealToken(key, field, token);
  const account: SocialAccount = {
    ...key,
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
    create(key, account),
    create(keys.socialAccountClaim(account.platform, account.platformUserId), {
      organizationId,
      accountId: id,
    }),
  );

  return account;
}

/** Gives a stored TikTok account a token for messages and comments, issued by the sandbox. */
export async function storeBusinessToken(account: SocialAccount): Promise<SocialAccount> {
  const { organizationId, id, platformUserId: userId } = account;
  const given = await sandbox.network('TIKTOK').issueBusinessToken({ userId });
  const checked = { given, facts: { platformUserIds: [given.openId] } };
  const set = messagingFields(checked);
  await write(
    change(keys.socialAccount(organizationId, id), { set }),
    ...(await planMessagingCredential(account, checked)),
  );

  return { ...account, ...set };
}

/** Returns a network-style id that no other account of this run has. */
export function newPlatformUserId(): string {
  return `${Date.now()}${randomInt(10_000, 100_000)}`;
}

type Connection = {
  readonly platform?: Platform;
  readonly platformUserId?: string;
  /** The lifetime of the network's token in seconds. */
  readonly expiresIn?: number;
  /** The token's scopes. Defaults to everything the service requests. */
  readonly scopes?: readonly string[];
  readonly body?: Readonly<Record<string, unknown>>;
};

/** Returns the body that connects an account, with a token issued by the network sandbox. */
export async function connectionBody({
  platform = 'FACEBOOK',
  platformUserId = newPlatformUserId(),
  expiresIn,
  scopes,
  body = {},
}: Connection = {}) {
  const userName = 'Engines';
  const { accessToken, refreshToken } = await sandbox.network(platform).issueTokens({
    userId: platformUserId,
    userName,
    ...(expiresIn ? { expiresIn } : {}),
    ...(scopes ? { scopes: [...scopes] } : {}),
  });
  const hasRefreshToken = !['FACEBOOK', 'INSTAGRAM'].includes(platform);

  return {
    platform,
    accessToken,
    ...(hasRefreshToken ? { refreshToken } : {}),
    ...(expiresIn ? { expiresIn } : {}),
    platformUserId,
    platformUserName: userName,
    ...body,
  };
}

/** Connects an account of the network sandbox through the endpoint. */
export async function connectAccount(token: string, connection: Connection = {}) {
  const body = await connectionBody(connection);
  const answer = await call(connectSocialAccount, { token, body });
  if (answer.status !== 201) {
    throw new Error(`Connecting answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  }
  const { id, organizationId } = answer.body.socialAccount;

  return { id, organizationId, params: { account_id: id as string }, ...body };
}
