import type { Explanation, NetworkAnswer } from '#lib/vendors/networks/call-network.ts';
import type { Tokens } from '#lib/vendors/networks/network.ts';
import { networkApp } from '#lib/vendors/networks/network-app.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { scopesOf } from '#lib/vendors/networks/scopes-of.ts';
import * as z from '#schemas/zod.ts';
import { callTwitter } from './call.ts';

const tokens = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  expires_in: z.number().optional(),
  scope: z.string().optional(),
});
const refusal = z.object({ error: z.string(), error_description: z.string().optional() });

/**
 * Exchanges a refresh token, which works once, for a new pair. A call without an answer may have
 * used it up: the outcome is unknown then.
 *
 * @throws NetworkError `tokenInvalid` for a refresh token that is used up, revoked or missing.
 */
export async function refreshTwitterToken(refreshToken: string | undefined): Promise<Tokens> {
  if (refreshToken === undefined) {
    throw new NetworkError('TWITTER', 'tokenInvalid', {
      message: 'The account has no refresh token',
    });
  }
  const app = await networkApp('TWITTER');
  const basic = Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64');
  const pair = await callTwitter({
    method: 'POST',
    path: '/2/oauth2/token',
    headers: { authorization: `Basic ${basic}` },
    form: { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: app.clientId },
    answer: tokens,
    explain: explainToken,
  });

  return {
    accessToken: pair.access_token,
    ...(pair.refresh_token === undefined ? {} : { refreshToken: pair.refresh_token }),
    ...(pair.expires_in === undefined ? {} : { expiresInSeconds: pair.expires_in }),
    ...(pair.scope === undefined ? {} : { scopes: scopesOf(pair.scope) }),
  };
}

/** A dead refresh token is `invalid_request` or `invalid_grant`; any other 4xx is about the app. */
function explainToken({ status, json }: NetworkAnswer): Explanation | undefined {
  const { error, error_description: message } = refusal.safeParse(json).data ?? {};
  if (status === 429 || status >= 500) {
    return undefined;
  }
  const isDead = error === 'invalid_request' || error === 'invalid_grant';

  return { kind: isDead ? 'tokenInvalid' : 'unavailable', message, code: error };
}
