import { config } from '#lib/platform/config.ts';
import { authorizationUrl } from '#lib/vendors/networks/authorization-url.ts';
import { callNetwork, type Explanation, readAnswer } from '#lib/vendors/networks/call-network.ts';
import { explainGraph } from '#lib/vendors/networks/meta/explain-graph.ts';
import type { OAuthApi } from '#lib/vendors/networks/network.ts';
import { networkApp } from '#lib/vendors/networks/network-app.ts';
import { requestedScopes } from '#lib/vendors/networks/scopes.ts';
import * as z from '#schemas/zod.ts';
import { platform } from './call.ts';
import { readManagedPages, validateToken } from './tokens.ts';

const tokenResponse = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().optional(),
});
const page = z.object({
  id: z.string(),
  name: z.string(),
  /** Missing if the person has no role with which they can act as the page. */
  access_token: z.string().optional(),
  picture: z.object({ data: z.object({ url: z.string().optional() }) }).optional(),
});

/** Consent at Facebook. PKCE is for apps without a secret. People can decline single scopes. */
export const oauth: OAuthApi = {
  needsPkce: false,
  authorizationUrl: async ({ redirectUri, state }) => {
    const { clientId } = await networkApp(platform);
    const { authBase, apiVersion } = config.networks.facebook;

    return authorizationUrl(`${authBase}/${apiVersion}/dialog/oauth`, {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: requestedScopes[platform].join(','),
      state,
    });
  },
  /** Returns a long-lived user token, because page tokens derived from it do not expire. */
  exchangeCode: async ({ code, redirectUri }) => {
    const short = await requestToken({ code, redirect_uri: redirectUri });
    const long = await requestToken({
      grant_type: 'fb_exchange_token',
      fb_exchange_token: short.access_token,
    });
    const { scopes: granted = [] } = await validateToken({
      platformUserId: '',
      accessToken: long.access_token,
    });

    return {
      accessToken: long.access_token,
      ...(long.expires_in === undefined ? {} : { expiresInSeconds: long.expires_in }),
      scopes: granted,
    };
  },
  listChoices: async ({ accessToken, scopes: granted }) => {
    const pages = await readManagedPages(
      { platformUserId: '', accessToken },
      'id,name,access_token,picture{url}',
      page,
    );

    return pages.flatMap(({ id, name, access_token: pageToken, picture }) =>
      pageToken === undefined
        ? []
        : {
            platformUserId: id,
            name,
            kind: 'PAGE' as const,
            avatarUrl: picture?.data.url ?? null,
            tokens: { accessToken: pageToken, ...(granted ? { scopes: granted } : {}) },
          },
    );
  },
};

async function requestToken(grant: Readonly<Record<string, string>>) {
  const { clientId, clientSecret } = await networkApp(platform);
  const { apiBase, apiVersion } = config.networks.facebook;
  const answer = await callNetwork({
    platform,
    url: `${apiBase}/${apiVersion}/oauth/access_token`,
    query: { client_id: clientId, client_secret: clientSecret, ...grant },
    explain: (failed) => asGrantError(explainGraph({ method: 'GET' }, failed)),
  });

  return readAnswer(platform, tokenResponse, answer);
}

/**
 * Code 100 means that the code is used, expired or belongs to another redirect URI. Other errors
 * are about the app.
 */
function asGrantError(explanation: Explanation | undefined): Explanation | undefined {
  if (explanation?.kind !== 'refused') {
    return explanation;
  }
  const isAboutCode = explanation.code?.split('/')[0] === '100';

  return { ...explanation, kind: isAboutCode ? 'tokenInvalid' : 'unavailable' };
}
