import { secondMs, timestamp } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import {
  callNetwork,
  type Explanation,
  type NetworkAnswer,
  readAnswer,
} from '#lib/vendors/networks/call-network.ts';
import type { AccountTokensApi, TokenFacts, Tokens } from '#lib/vendors/networks/network.ts';
import { networkApp } from '#lib/vendors/networks/network-app.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { oauthError, scopesOf, tokenAnswer, toTokens } from '#lib/vendors/networks/token-answer.ts';
import * as z from '#schemas/zod.ts';
import { platform, type YouTubeCall } from './call.ts';
import { listChannels, subscribersOf } from './channels.ts';

const tokenInfo = z.object({
  aud: z.string().optional(),
  scope: z.string().optional(),
  expires_in: z.coerce.number().optional(),
});

export const validateToken: AccountTokensApi['validateToken'] = async (credentials) => {
  const [facts, channels] = await Promise.all([
    introspect(credentials.accessToken),
    listChannels(credentials),
  ]);

  return { ...facts, platformUserIds: channels.map(({ id }) => id) };
};

export const listPages: AccountTokensApi['listPages'] = async (credentials) => {
  const channels = await listChannels(credentials, 'snippet,statistics');

  return channels.map((channel) => ({
    platformPageId: channel.id,
    name: channel.snippet?.title ?? channel.id,
    category: null,
    url: `https://www.youtube.com/channel/${channel.id}`,
    isActive: true,
    followersCount: subscribersOf(channel),
    lastPostDate: null,
  }));
};

/** Refreshes the access token. If Google returns no new refresh token, the old one stays valid. */
export const refreshToken: AccountTokensApi['refreshToken'] = async (tokens) => {
  if (!tokens.refreshToken) {
    throw new NetworkError(platform, 'tokenInvalid', {
      message: 'Google returned no refresh token. Please connect the channel again',
    });
  }

  return requestTokens({ grant_type: 'refresh_token', refresh_token: tokens.refreshToken });
};

/**
 * Rejects tokens of other apps, because they were not issued to this service and cannot be
 * refreshed.
 */
async function introspect(accessToken: string): Promise<Omit<TokenFacts, 'platformUserIds'>> {
  const [{ clientId }, answer] = await Promise.all([
    networkApp(platform),
    callOauth({ path: '/tokeninfo', query: { access_token: accessToken } }),
  ]);
  const { aud, scope, expires_in } = readAnswer(platform, tokenInfo, answer);
  if (aud !== undefined && aud !== clientId) {
    throw new NetworkError(platform, 'tokenInvalid', {
      message: 'The token was issued to another app',
    });
  }

  return {
    ...(scope === undefined ? {} : { scopes: scopesOf(scope) }),
    ...(expires_in === undefined ? {} : { expiresAt: timestamp(expires_in * secondMs) }),
  };
}

/**
 * Exchanges a code or a refresh token. A refresh token stays valid if Google returns no new one.
 *
 * @throws NetworkError `tokenInvalid` if Google rejects the code or the refresh token.
 */
export async function requestTokens(grant: Readonly<Record<string, string>>): Promise<Tokens> {
  const { clientId, clientSecret } = await networkApp(platform);
  const answer = await callOauth({
    method: 'POST',
    path: '/token',
    form: { ...grant, client_id: clientId, client_secret: clientSecret },
  });

  return toTokens(readAnswer(platform, tokenAnswer, answer));
}

/**
 * Calls Google's OAuth 2 server. Safe to retry: introspection changes nothing, and a new access
 * token leaves the old one valid.
 */
function callOauth({ path, ...call }: YouTubeCall): Promise<NetworkAnswer> {
  return callNetwork({
    ...call,
    platform,
    url: `${config.networks.youtube.oauthBase}${path}`,
    isHarmless: true,
    explain: explainTokenError,
  });
}

function explainTokenError(answer: NetworkAnswer): Explanation | undefined {
  const { error, error_description } = oauthError.safeParse(answer.json).data ?? {};
  if (error === undefined || answer.status >= 500 || answer.status === 429) {
    return undefined;
  }
  // Wrong app credentials are a configuration error, not a problem of the channel.
  const kind =
    error === 'invalid_client' || error === 'unauthorized_client' ? 'unavailable' : 'tokenInvalid';

  return { kind, message: error_description ?? error, code: error };
}
