import { config } from '#lib/platform/config.ts';
import type { Explanation, NetworkAnswer } from '#lib/vendors/networks/call-network.ts';
import type { Tokens } from '#lib/vendors/networks/network.ts';
import { networkApp } from '#lib/vendors/networks/network-app.ts';
import { scopesOf } from '#lib/vendors/networks/scopes-of.ts';
import * as z from '#schemas/zod.ts';
import { callRaw, platform } from './call.ts';

const path = '/v2/oauth/token/';
const tokenResponse = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  /** Required, because TikTok's documentation contradicts itself on token lifetimes. */
  expires_in: z.number(),
  scope: z.string().optional(),
});
const oauthError = z.object({ error: z.string(), error_description: z.string().optional() });

/**
 * Exchanges a code or a refresh token. Both work once, so the outcome of a call without a response
 * is unknown.
 *
 * @param grantErrors The errors that concern the code or token. All others concern the app.
 * @throws NetworkError `tokenInvalid` for these errors.
 */
export async function requestTokens(
  grant: Readonly<Record<string, string>>,
  grantErrors: readonly string[],
): Promise<Tokens> {
  const app = await networkApp(platform);
  const pair = await callRaw(
    {
      method: 'POST',
      path,
      form: { client_key: app.clientId, client_secret: app.clientSecret, ...grant },
      answer: tokenResponse,
    },
    {
      url: `${config.networks.tiktok.apiBase}${path}`,
      isFailure: ({ json }) => oauthError.safeParse(json).success,
      explain: (answer) => explainTokenError(answer, grantErrors),
    },
  );

  return {
    accessToken: pair.access_token,
    ...(pair.refresh_token === undefined ? {} : { refreshToken: pair.refresh_token }),
    expiresInSeconds: pair.expires_in,
    ...(pair.scope === undefined ? {} : { scopes: scopesOf(pair.scope) }),
  };
}

/** An error may come with status 200. */
function explainTokenError(
  { status, json }: NetworkAnswer,
  grantErrors: readonly string[],
): Explanation | undefined {
  const { error, error_description: message } = oauthError.safeParse(json).data ?? {};
  if (error === undefined || status === 429 || status >= 500) {
    return status >= 400 && status < 500 && status !== 429 ? { kind: 'unavailable' } : undefined;
  }

  return {
    kind: grantErrors.includes(error) ? 'tokenInvalid' : 'unavailable',
    message,
    code: error,
  };
}
