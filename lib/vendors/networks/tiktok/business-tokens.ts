import type { NetworkApp } from '#lib/platform/secrets/secrets.ts';
import type { Tokens, TokensApi } from '#lib/vendors/networks/network.ts';
import { networkApp } from '#lib/vendors/networks/network-app.ts';
import { NetworkError, type NetworkFailureKind } from '#lib/vendors/networks/network-error.ts';
import { scopesOf, tokenAnswer, toTokens } from '#lib/vendors/networks/token-answer.ts';
import * as z from '#schemas/zod.ts';
import { callBusiness, platform } from './call.ts';

const tokenInfo = z.object({
  data: z.object({ creator_id: z.string().min(1), scope: z.string().optional() }),
});
const tokenResponse = z.object({ data: tokenAnswer.extend({ expires_in: z.number() }) });

/**
 * Error codes of an exchange that are about the account. All other codes are about the app.
 *
 * Unverified: the codes of an expired and of an invalid code or refresh token. See
 * docs/operations.md.
 */
const grantKinds: Readonly<Record<number, NetworkFailureKind>> = {
  40100: 'rateLimited',
  40102: 'tokenInvalid',
  40103: 'tokenInvalid',
  40105: 'tokenInvalid',
  40107: 'tokenInvalid',
  40133: 'rateLimited',
};

/**
 * Unlike the rest of the API, this call sends the app's id in the body and no token in a header.
 */
export const validateToken: TokensApi['validateToken'] = async ({ accessToken }) => {
  const { clientId } = await businessApp();
  const { data } = await callBusiness(undefined, {
    method: 'POST',
    path: '/tt_user/token_info/get/',
    json: { app_id: clientId, access_token: accessToken },
    isHarmless: true,
    answer: tokenInfo,
  });

  const { creator_id: creatorId, scope } = data;

  return {
    platformUserIds: [creatorId],
    ...(scope === undefined ? {} : { scopes: scopesOf(scope) }),
  };
};

/**
 * Exchanges a refresh token for a new pair. If there is no response, the outcome is unknown,
 * because TikTok may have used up the token.
 *
 * @throws NetworkError `tokenInvalid` if the refresh token was used, revoked or is missing.
 */
export const refreshToken: TokensApi['refreshToken'] = async ({ refreshToken: oldToken }) => {
  if (oldToken === undefined) {
    throw new NetworkError(platform, 'tokenInvalid', {
      message: 'The account has no refresh token for messages',
    });
  }

  return requestTokens('/tt_user/oauth2/refresh_token/', {
    grant_type: 'refresh_token',
    refresh_token: oldToken,
  });
};

/**
 * Exchanges a code or a refresh token. Both work once.
 *
 * @throws NetworkError `tokenInvalid` if TikTok rejects the code or the refresh token.
 */
export async function requestTokens(
  path: string,
  grant: Readonly<Record<string, string>>,
): Promise<Tokens> {
  const { clientId, clientSecret } = await businessApp();
  const { data } = await callBusiness(
    undefined,
    {
      method: 'POST',
      path,
      json: { client_id: clientId, client_secret: clientSecret, ...grant },
      answer: tokenResponse,
    },
    (code) => grantKinds[code] ?? 'unavailable',
  );

  return toTokens(data);
}

/**
 * Returns this service's app for the Business API.
 *
 * @throws NetworkError `unavailable` if the secret has none.
 */
export async function businessApp(): Promise<NonNullable<NetworkApp['business']>> {
  const { business } = await networkApp(platform);
  if (!business) {
    throw new NetworkError(platform, 'unavailable', {
      message: 'The secret has no app for the TikTok Business API (networks.TIKTOK.business)',
    });
  }

  return business;
}
