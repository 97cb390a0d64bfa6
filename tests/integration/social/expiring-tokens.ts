import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { hourMs, minuteMs, timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { dueIn } from '#lib/platform/db/lists/shards.ts';
import { get } from '#lib/platform/db/read.ts';
import type { Platform } from '#schemas/platforms.ts';
import { connectionBody, storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import { newAccount } from '#tests/support/accounts.ts';

export type Options = {
  readonly platform?: Platform;
  /** When the token expires according to our record, relative to now. */
  readonly endsInMs?: number;
  /** When the network's token really expires, in seconds. */
  readonly livesSeconds?: number;
};

/** Creates an account whose two-hour token expires in the given time. */
export async function withAccount(options: Options = {}) {
  const { platform = 'TWITTER', endsInMs = 2 * hourMs, livesSeconds = 7_200 } = options;
  const owner = await newAccount();
  const connection = await connectionBody({ platform, expiresIn: livesSeconds });
  const account = await storeSocialAccount(owner.organizationId, {
    platform,
    platformUserId: connection.platformUserId,
    accessToken: connection.accessToken,
    ...('refreshToken' in connection ? { refreshToken: connection.refreshToken } : {}),
    tokenIssuedAt: timestamp(endsInMs - 2 * hourMs),
    tokenExpiresAt: timestamp(endsInMs),
    ...dueIn('TOKEN_REFRESH', timestamp(endsInMs - 30 * minuteMs)),
  });

  return { owner, account, connection, params: { account_id: account.id } };
}

export async function stored({ organizationId, id }: SocialAccount): Promise<SocialAccount> {
  return (await get<SocialAccount>(keys.socialAccount(organizationId, id))) as SocialAccount;
}
