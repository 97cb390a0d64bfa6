import type { Explanation, NetworkAnswer } from '#lib/vendors/networks/call-network.ts';
import type { Tokens } from '#lib/vendors/networks/network.ts';
import { networkApp } from '#lib/vendors/networks/network-app.ts';
import { scopesOf } from '#lib/vendors/networks/scopes-of.ts';
import * as z from '#schemas/zod.ts';
import { call, platform } from './call.ts';

const tokenResponse = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  expires_in: z.number().optional(),
  scope: z.string().optional(),
});
const oauthError = z.object({ error: z.string(), error_description: z.string().optional() });

/**
 * Exchanges a code or a refresh token as a confidential client. Both work once, so the outcome of a
 * call without a response is unknown.
 *
 * @throws NetworkError `tokenInvalid` if X rejects the code or the refresh token.
 */
export async function requestTokens(grant: Readonly<Record<string, string>>): Promise<Tokens> {
  const app = await networkApp(platform);
  const basic = Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64');
  const pair = await call({
    method: 'POST',
    path: '/2/oauth2/token',
    headers: { authorization: `Basic ${basic}` },
    form: { ...grant, client_id: app.clientId },
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

/** X reports an invalid code or token as one of two errors. Any other 4xx concerns the app. */
function explainTokenError({ status, json }: NetworkAnswer): Explanation | undefined {
  const { error, error_description: message } = oauthError.safeParse(json).data ?? {};
  if (status === 429 || status >= 500) {
    return undefined;
  }
  const isTokenInvalid = error === 'invalid_request' || error === 'invalid_grant';

  return { kind: isTokenInvalid ? 'tokenInvalid' : 'unavailable', message, code: error };
}
