import type { Explanation, NetworkAnswer } from '#lib/vendors/networks/call-network.ts';
import type {
  Credentials,
  CurrentTokens,
  NetworkPage,
  TokenFacts,
  Tokens,
} from '#lib/vendors/networks/network.ts';
import { networkApp } from '#lib/vendors/networks/network-app.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { scopesOf } from '#lib/vendors/networks/scopes-of.ts';
import * as z from '#schemas/zod.ts';
import { call, platform } from './call.ts';
import { readUser } from './user.ts';

const tokenResponse = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  expires_in: z.number().optional(),
  scope: z.string().optional(),
});
const oauthError = z.object({ error: z.string(), error_description: z.string().optional() });

export async function validateToken(credentials: Credentials): Promise<TokenFacts> {
  const user = await readUser(credentials);

  return { platformUserIds: [user.id] };
}

/**
 * Exchanges a single-use refresh token for a new pair. The outcome of a call without a response is
 * unknown, because X may have consumed the token.
 *
 * @throws NetworkError `tokenInvalid` if the refresh token was used, revoked or is missing.
 */
export async function refreshToken({ refreshToken: oldToken }: CurrentTokens): Promise<Tokens> {
  if (oldToken === undefined) {
    throw new NetworkError(platform, 'tokenInvalid', {
      message: 'The account has no refresh token',
    });
  }
  const app = await networkApp(platform);
  const basic = Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64');
  const pair = await call({
    method: 'POST',
    path: '/2/oauth2/token',
    headers: { authorization: `Basic ${basic}` },
    form: { grant_type: 'refresh_token', refresh_token: oldToken, client_id: app.clientId },
    answer: tokenResponse,
    explain: explainTokenError,
  });

  return {
    accessToken: pair.access_token,
    ...(pair.refresh_token === undefined ? {} : { refreshToken: pair.refresh_token }),
    ...(pair.expires_in === undefined ? {} : { expiresInSeconds: pair.expires_in }),
    ...(pair.scope === undefined ? {} : { scopes: scopesOf(pair.scope) }),
  };
}

/** Returns the account itself: X has no pages. */
export async function listPages(credentials: Credentials): Promise<readonly NetworkPage[]> {
  const { id, name, username, public_metrics: metrics } = await readUser(credentials);

  return [
    {
      platformPageId: id,
      name,
      category: null,
      url: `https://x.com/${username}`,
      isActive: true,
      followersCount: metrics?.followers_count ?? null,
      lastPostDate: null,
    },
  ];
}

/** X reports an invalid refresh token as one of two errors. Any other 4xx concerns the app. */
function explainTokenError({ status, json }: NetworkAnswer): Explanation | undefined {
  const { error, error_description: message } = oauthError.safeParse(json).data ?? {};
  if (status === 429 || status >= 500) {
    return undefined;
  }
  const isTokenInvalid = error === 'invalid_request' || error === 'invalid_grant';

  return { kind: isTokenInvalid ? 'tokenInvalid' : 'unavailable', message, code: error };
}
