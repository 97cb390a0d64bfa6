import { secondMs, timestamp } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import {
  callNetwork,
  type Explanation,
  type NetworkAnswer,
} from '#lib/vendors/networks/call-network.ts';
import type { Credentials, TokenFacts, Tokens } from '#lib/vendors/networks/network.ts';
import { networkApp } from '#lib/vendors/networks/network-app.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { readAnswer } from '#lib/vendors/networks/read-answer.ts';
import { scopesOf } from '#lib/vendors/networks/scopes-of.ts';
import * as z from '#schemas/zod.ts';
import { listChannels } from './channels.ts';

const tokenInfo = z.object({
  aud: z.string().optional(),
  scope: z.string().optional(),
  expires_in: z.coerce.number().optional(),
});
const renewal = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().optional(),
  refresh_token: z.string().min(1).optional(),
  scope: z.string().optional(),
});
const oauthFailure = z.object({
  error: z.string(),
  error_description: z.string().optional(),
});

export async function validateToken(credentials: Credentials): Promise<TokenFacts> {
  const [facts, channels] = await Promise.all([
    inspect(credentials.accessToken),
    listChannels(credentials),
  ]);

  return { ...facts, platformUserIds: channels.map(({ id }) => id) };
}

/** Google sends a new refresh token only now and then: without one the old one stays valid. */
export async function refreshToken(tokens: {
  readonly refreshToken?: string | undefined;
}): Promise<Tokens> {
  if (!tokens.refreshToken) {
    throw new NetworkError('YOUTUBE', 'tokenInvalid', {
      message: 'Google returned no refresh token. Please connect the channel again',
    });
  }
  const { clientId, clientSecret } = await networkApp('YOUTUBE');
  const answer = await callOauth({
    method: 'POST',
    path: '/token',
    form: {
      grant_type: 'refresh_token',
      refresh_token: tokens.refreshToken,
      client_id: clientId,
      client_secret: clientSecret,
    },
  });
  const renewed = readAnswer('YOUTUBE', renewal, answer);

  return {
    accessToken: renewed.access_token,
    ...(renewed.refresh_token === undefined ? {} : { refreshToken: renewed.refresh_token }),
    ...(renewed.expires_in === undefined ? {} : { expiresInSeconds: renewed.expires_in }),
    ...(renewed.scope === undefined ? {} : { scopes: scopesOf(renewed.scope) }),
  };
}

/** A token of another app could never be refreshed here, and was not given to this service. */
async function inspect(accessToken: string): Promise<Omit<TokenFacts, 'platformUserIds'>> {
  const [{ clientId }, answer] = await Promise.all([
    networkApp('YOUTUBE'),
    callOauth({ method: 'GET', path: '/tokeninfo', query: { access_token: accessToken } }),
  ]);
  const { aud, scope, expires_in } = readAnswer('YOUTUBE', tokenInfo, answer);
  if (aud !== undefined && aud !== clientId) {
    throw new NetworkError('YOUTUBE', 'tokenInvalid', {
      message: 'The token was issued to another app',
    });
  }

  return {
    ...(scope === undefined ? {} : { scopes: scopesOf(scope) }),
    ...(expires_in === undefined ? {} : { expiresAt: timestamp(expires_in * secondMs) }),
  };
}

/** A look at a token, and a new one beside the one that is there: either may be sent again. */
function callOauth(call: {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
}): Promise<NetworkAnswer> {
  const { path, ...rest } = call;

  return callNetwork({
    ...rest,
    platform: 'YOUTUBE',
    url: `${config.networks.youtube.oauthBase}${path}`,
    isHarmless: true,
    explain: explainOauth,
  });
}

function explainOauth(answer: NetworkAnswer): Explanation | undefined {
  const { error, error_description } = oauthFailure.safeParse(answer.json).data ?? {};
  if (error === undefined || answer.status >= 500 || answer.status === 429) {
    return undefined;
  }
  // The app's own credentials are the operator's to mend, and say nothing about a channel.
  const kind =
    error === 'invalid_client' || error === 'unauthorized_client' ? 'unavailable' : 'tokenInvalid';

  return { kind, message: error_description ?? error, code: error };
}
