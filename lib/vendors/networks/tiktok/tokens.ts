import { config } from '#lib/platform/config.ts';
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
import { callRaw, platform } from './call.ts';
import { readUser } from './user.ts';

const path = '/v2/oauth/token/';
const tokenResponse = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1),
  /** Required, because TikTok's documentation contradicts itself on token lifetimes. */
  expires_in: z.number(),
  scope: z.string().optional(),
});
const oauthError = z.object({ error: z.string(), error_description: z.string().optional() });

export async function validateToken(credentials: Credentials): Promise<TokenFacts> {
  const user = await readUser(credentials, 'open_id');

  return { platformUserIds: [user.open_id] };
}

/**
 * Exchanges a single-use refresh token for a new pair. The outcome of a call without a response is
 * unknown, because TikTok may have consumed the token.
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
  const pair = await callRaw(
    {
      method: 'POST',
      path,
      form: {
        client_key: app.clientId,
        client_secret: app.clientSecret,
        grant_type: 'refresh_token',
        refresh_token: oldToken,
      },
      answer: tokenResponse,
    },
    {
      url: `${config.networks.tiktok.apiBase}${path}`,
      isFailure: ({ json }) => oauthError.safeParse(json).success,
      explain: explainTokenError,
    },
  );

  return {
    accessToken: pair.access_token,
    refreshToken: pair.refresh_token,
    expiresInSeconds: pair.expires_in,
    ...(pair.scope === undefined ? {} : { scopes: scopesOf(pair.scope) }),
  };
}

/** Returns the account itself: TikTok has no pages. */
export async function listPages(credentials: Credentials): Promise<readonly NetworkPage[]> {
  const user = await readUser(credentials, 'open_id,display_name,username,follower_count');

  return [
    {
      platformPageId: user.open_id,
      name: user.display_name,
      category: null,
      url: user.username === undefined ? null : `https://www.tiktok.com/@${user.username}`,
      isActive: true,
      followersCount: user.follower_count ?? null,
      lastPostDate: null,
    },
  ];
}

/**
 * An error may come with status 200. Only `invalid_grant` concerns the account, all others the app.
 */
function explainTokenError({ status, json }: NetworkAnswer): Explanation | undefined {
  const { error, error_description: message } = oauthError.safeParse(json).data ?? {};
  if (error === undefined || status === 429 || status >= 500) {
    return status >= 400 && status < 500 && status !== 429 ? { kind: 'unavailable' } : undefined;
  }

  return { kind: error === 'invalid_grant' ? 'tokenInvalid' : 'unavailable', message, code: error };
}
