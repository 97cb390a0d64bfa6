import type {
  Credentials,
  CurrentTokens,
  TokenFacts,
  Tokens,
} from '#lib/vendors/networks/network.ts';
import { NetworkError, type NetworkFailureKind } from '#lib/vendors/networks/network-error.ts';
import { scopesOf } from '#lib/vendors/networks/scopes-of.ts';
import * as z from '#schemas/zod.ts';
import { businessApp } from './business-app.ts';
import { callBusiness, platform } from './call.ts';

const tokenInfo = z.object({
  data: z.object({ creator_id: z.string().min(1), scope: z.string().optional() }),
});
const tokenResponse = z.object({
  data: z.object({
    access_token: z.string().min(1),
    refresh_token: z.string().min(1).optional(),
    expires_in: z.number(),
    scope: z.string().optional(),
  }),
});

/**
 * Error codes of an exchange. Only these concern the account; all others concern the app.
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

/** Names the app in the body instead of the token in a header, unlike the rest of the API. */
export async function validateToken({ accessToken }: Credentials): Promise<TokenFacts> {
  const { clientId } = await businessApp();
  const { data } = await callBusiness(undefined, {
    method: 'POST',
    path: '/tt_user/token_info/get/',
    json: { app_id: clientId, access_token: accessToken },
    isHarmless: true,
    answer: tokenInfo,
  });

  return { platformUserIds: [data.creator_id], ...scopesIn(data.scope) };
}

/**
 * Exchanges a refresh token for a new pair. The outcome of a call without a response is unknown,
 * because TikTok may have consumed the token.
 *
 * @throws NetworkError `tokenInvalid` if the refresh token was used, revoked or is missing.
 */
export async function refreshToken({ refreshToken: oldToken }: CurrentTokens): Promise<Tokens> {
  if (oldToken === undefined) {
    throw new NetworkError(platform, 'tokenInvalid', {
      message: 'The account has no refresh token for messages',
    });
  }

  return requestTokens('/tt_user/oauth2/refresh_token/', {
    grant_type: 'refresh_token',
    refresh_token: oldToken,
  });
}

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

  return {
    accessToken: data.access_token,
    ...(data.refresh_token === undefined ? {} : { refreshToken: data.refresh_token }),
    expiresInSeconds: data.expires_in,
    ...scopesIn(data.scope),
  };
}

function scopesIn(scope: string | undefined) {
  return scope === undefined ? {} : { scopes: scopesOf(scope) };
}
