import { config } from '#lib/platform/config.ts';
import { authorizationUrl } from '#lib/vendors/networks/authorization-url.ts';
import {
  callNetwork,
  type Explanation,
  type NetworkAnswer,
  readAnswer,
} from '#lib/vendors/networks/call-network.ts';
import { explainGraph } from '#lib/vendors/networks/meta/explain-graph.ts';
import type { OAuthApi } from '#lib/vendors/networks/network.ts';
import { networkApp } from '#lib/vendors/networks/network-app.ts';
import { requestedScopes } from '#lib/vendors/networks/scopes.ts';
import { scopesOf } from '#lib/vendors/networks/token-answer.ts';
import * as z from '#schemas/zod.ts';
import { call, platform } from './call.ts';

const shortLived = z.object({
  access_token: z.string().min(1),
  permissions: z.union([z.string(), z.array(z.string())]).optional(),
});
/** In the documentation, the token is in a list. In real responses, it is not. */
const codeResponse = z.union([
  shortLived,
  z.object({ data: z.tuple([shortLived]) }).transform(({ data: [token] }) => token),
]);
const isAboutApp = /platform app|client (id|secret)/i;
const longLived = z.object({ access_token: z.string().min(1), expires_in: z.number() });
const oauthError = z.object({ error_type: z.string(), error_message: z.string().optional() });
const me = z.object({
  // Not `id`, which is scoped to the app and does not appear in events.
  user_id: z.coerce.string(),
  username: z.string(),
  name: z.string().optional(),
  profile_picture_url: z.string().optional(),
});

/**
 * Consent at Instagram, without PKCE.
 *
 * Unverified: the format of the token response, of which both known variants are accepted, and the
 * messages about the app. See docs/operations.md.
 */
export const oauth: OAuthApi = {
  needsPkce: false,
  authorizationUrl: async ({ redirectUri, state }) => {
    const { clientId } = await networkApp(platform);

    return authorizationUrl(`${config.networks.instagram.authBase}/oauth/authorize`, {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: requestedScopes[platform].join(','),
      state,
    });
  },
  /**
   * Returns a long-lived token, because the first token is valid for an hour and cannot be
   * refreshed.
   */
  exchangeCode: async ({ code, redirectUri }) => {
    const { clientId, clientSecret } = await networkApp(platform);
    const { apiBase, oauthBase } = config.networks.instagram;
    const first = await callNetwork({
      platform,
      method: 'POST',
      url: `${oauthBase}/oauth/access_token`,
      form: {
        client_id: clientId,
        client_secret: clientSecret,
        grant_type: 'authorization_code',
        redirect_uri: redirectUri,
        code,
      },
      isHarmless: true,
      explain: explainCodeError,
    });
    const short = readAnswer(platform, codeResponse, first);
    // This path has no API version.
    const second = await callNetwork({
      platform,
      url: `${apiBase}/access_token`,
      query: {
        grant_type: 'ig_exchange_token',
        client_secret: clientSecret,
        access_token: short.access_token,
      },
      explain: (answer) => explainGraph({ method: 'GET' }, answer),
    });
    const long = readAnswer(platform, longLived, second);

    return {
      accessToken: long.access_token,
      expiresInSeconds: long.expires_in,
      ...(short.permissions ? { scopes: scopesOf([short.permissions].flat().join(',')) } : {}),
    };
  },
  /** Returns the account itself. */
  listChoices: async (tokens) => {
    const answer = await call(
      { platformUserId: '', accessToken: tokens.accessToken },
      {
        path: '/me',
        query: { fields: 'user_id,username,name,profile_picture_url' },
      },
    );
    const account = readAnswer(platform, me, answer);

    return [
      {
        platformUserId: account.user_id,
        name: account.name || account.username,
        kind: 'PROFILE',
        avatarUrl: account.profile_picture_url ?? null,
        tokens,
      },
    ];
  },
};

/** All errors have the same code, so only the message shows that the app credentials are wrong. */
function explainCodeError({ status, json }: NetworkAnswer): Explanation | undefined {
  const failure = oauthError.safeParse(json).data;
  if (failure === undefined || status >= 500 || status === 429) {
    return undefined;
  }
  const { error_type: code, error_message: message = code } = failure;

  return { kind: isAboutApp.test(message) ? 'unavailable' : 'tokenInvalid', message, code };
}
