import { secondMs, timestamp } from '#lib/platform/clock.ts';
import type {
  Credentials,
  CurrentTokens,
  NetworkPage,
  TokenFacts,
  Tokens,
} from '#lib/vendors/networks/network.ts';
import { networkApp } from '#lib/vendors/networks/network-app.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { readAnswer } from '#lib/vendors/networks/read-answer.ts';
import { scopesOf } from '#lib/vendors/networks/scopes-of.ts';
import * as z from '#schemas/zod.ts';
import { platform } from './call.ts';
import { listChannels, subscribersOf } from './channels.ts';
import { callOauth, requestTokens } from './token-endpoint.ts';

const tokenInfo = z.object({
  aud: z.string().optional(),
  scope: z.string().optional(),
  expires_in: z.coerce.number().optional(),
});

export async function validateToken(credentials: Credentials): Promise<TokenFacts> {
  const [facts, channels] = await Promise.all([
    introspect(credentials.accessToken),
    listChannels(credentials),
  ]);

  return { ...facts, platformUserIds: channels.map(({ id }) => id) };
}

export async function listPages(credentials: Credentials): Promise<readonly NetworkPage[]> {
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
}

/** Refreshes the access token. If Google returns no new refresh token, the old one stays valid. */
export async function refreshToken(tokens: CurrentTokens): Promise<Tokens> {
  if (!tokens.refreshToken) {
    throw new NetworkError(platform, 'tokenInvalid', {
      message: 'Google returned no refresh token. Please connect the channel again',
    });
  }

  return requestTokens({ grant_type: 'refresh_token', refresh_token: tokens.refreshToken });
}

/** Rejects tokens of other apps: they were not issued to this service and cannot be refreshed. */
async function introspect(accessToken: string): Promise<Omit<TokenFacts, 'platformUserIds'>> {
  const [{ clientId }, answer] = await Promise.all([
    networkApp(platform),
    callOauth({ method: 'GET', path: '/tokeninfo', query: { access_token: accessToken } }),
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
