import { config } from '#lib/platform/config.ts';
import {
  callNetwork,
  type Explanation,
  type NetworkAnswer,
} from '#lib/vendors/networks/call-network.ts';
import type { Tokens } from '#lib/vendors/networks/network.ts';
import { networkApp } from '#lib/vendors/networks/network-app.ts';
import { readAnswer } from '#lib/vendors/networks/read-answer.ts';
import { scopesOf } from '#lib/vendors/networks/scopes-of.ts';
import * as z from '#schemas/zod.ts';
import { platform } from './call.ts';

const tokenResponse = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().optional(),
  refresh_token: z.string().min(1).optional(),
  scope: z.string().optional(),
});
const oauthError = z.object({
  error: z.string(),
  error_description: z.string().optional(),
});

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
  const tokens = readAnswer(platform, tokenResponse, answer);

  return {
    accessToken: tokens.access_token,
    ...(tokens.refresh_token === undefined ? {} : { refreshToken: tokens.refresh_token }),
    ...(tokens.expires_in === undefined ? {} : { expiresInSeconds: tokens.expires_in }),
    ...(tokens.scope === undefined ? {} : { scopes: scopesOf(tokens.scope) }),
  };
}

/**
 * Calls Google's OAuth 2 server. Safe to retry: introspection changes nothing, and a new access
 * token leaves the old one valid.
 */
export function callOauth(call: {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
}): Promise<NetworkAnswer> {
  const { path, ...rest } = call;

  return callNetwork({
    ...rest,
    platform: platform,
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
  // Wrong app credentials are a configuration error and say nothing about the channel.
  const kind =
    error === 'invalid_client' || error === 'unauthorized_client' ? 'unavailable' : 'tokenInvalid';

  return { kind, message: error_description ?? error, code: error };
}
