import {
  openToken,
  requireSocialAccount,
  type SocialAccount,
} from '#lib/features/social/accounts/accounts.ts';
import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { secondMs } from '#lib/platform/clock.ts';
import type { Alongside } from '#lib/platform/db/write.ts';
import { badRequest } from '#lib/platform/errors/failures.ts';
import { requireCapability } from '#lib/vendors/networks/capabilities.ts';
import { asAnswer } from '#lib/vendors/networks/network-error.ts';
import { refreshToken } from './refresh-token.ts';
import { canRefresh } from './token-life.ts';

export type TokenInfo = {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly expiresIn: number | null;
  readonly tokenType: string;
  readonly refreshedAt: string;
};

/**
 * Refreshes an account's token at a user's request.
 *
 * @returns the new tokens. No other response contains tokens.
 * @throws 404, 400 if the network has no refresh or no refresh token is known, 401 if the network
 * rejects it, 502 if the network is unavailable.
 */
export async function renewToken(
  organizationId: string,
  actorId: string,
  accountId: string,
  givenToken: string | null | undefined,
  alongside: Alongside<TokenInfo>,
): Promise<TokenInfo> {
  const account = await requireSocialAccount(organizationId, accountId);
  requireCapability(account.platform, 'tokenRefresh');
  if (!givenToken && !canRefresh(account)) {
    throw badRequest('refreshToken is required because the account was connected without one');
  }
  const renewed = await asAnswer(
    refreshToken(account, givenToken ?? undefined, async (after) => [
      ...(await alongside(await tokenInfoOf(after))),
      ...planAudit(organizationId, {
        action: 'social_account.token_refreshed',
        actorId,
        targetType: 'social_account',
        targetId: accountId,
      }),
    ]),
  );

  return tokenInfoOf(renewed);
}

async function tokenInfoOf(account: SocialAccount): Promise<TokenInfo> {
  const { tokenIssuedAt, tokenExpiresAt } = account;
  const [accessToken, refreshed] = await Promise.all([
    openToken(account, 'accessToken'),
    openToken(account, 'refreshToken'),
  ]);
  const lifeMs = tokenExpiresAt ? Date.parse(tokenExpiresAt) - Date.parse(tokenIssuedAt) : null;

  return {
    accessToken: accessToken ?? '',
    refreshToken: refreshed ?? null,
    expiresIn: lifeMs === null ? null : Math.round(lifeMs / secondMs),
    tokenType: 'Bearer',
    refreshedAt: tokenIssuedAt,
  };
}
