import { config } from '#lib/platform/config.ts';
import type { Explanation, NetworkAnswer } from '#lib/vendors/networks/call-network.ts';
import type { Tokens } from '#lib/vendors/networks/network.ts';
import { networkApp } from '#lib/vendors/networks/network-app.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { scopesOf } from '#lib/vendors/networks/scopes-of.ts';
import * as z from '#schemas/zod.ts';
import { sendToTiktok } from './call.ts';

const path = '/v2/oauth/token/';
const tokens = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1),
  /** TikTok's pages disagree on how long a token lives: the answer counts. */
  expires_in: z.number(),
  scope: z.string().optional(),
});
const refusal = z.object({ error: z.string(), error_description: z.string().optional() });

/**
 * Exchanges a refresh token, which works once, for a new pair. A call without an answer may have
 * used it up: the outcome is unknown then.
 *
 * @throws NetworkError `tokenInvalid` for a refresh token that is used up, revoked or missing.
 */
export async function refreshTiktokToken(refreshToken: string | undefined): Promise<Tokens> {
  if (refreshToken === undefined) {
    throw new NetworkError('TIKTOK', 'tokenInvalid', {
      message: 'The account has no refresh token',
    });
  }
  const app = await networkApp('TIKTOK');
  const pair = await sendToTiktok(
    {
      method: 'POST',
      path,
      form: {
        client_key: app.clientId,
        client_secret: app.clientSecret,
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
      },
      answer: tokens,
    },
    {
      url: `${config.networks.tiktok.apiBase}${path}`,
      isFailure: ({ json }) => refusal.safeParse(json).success,
      explain: explainToken,
    },
  );

  return {
    accessToken: pair.access_token,
    refreshToken: pair.refresh_token,
    expiresInSeconds: pair.expires_in,
    ...(pair.scope === undefined ? {} : { scopes: scopesOf(pair.scope) }),
  };
}

/** A refusal may come with a 200. All but a dead grant is about the app, not about the account. */
function explainToken({ status, json }: NetworkAnswer): Explanation | undefined {
  const { error, error_description: message } = refusal.safeParse(json).data ?? {};
  if (error === undefined || status === 429 || status >= 500) {
    return status >= 400 && status < 500 && status !== 429 ? { kind: 'unavailable' } : undefined;
  }

  return { kind: error === 'invalid_grant' ? 'tokenInvalid' : 'unavailable', message, code: error };
}
