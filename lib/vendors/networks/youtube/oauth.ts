import { config } from '#lib/platform/config.ts';
import { authorizationUrl } from '#lib/vendors/networks/authorization-url.ts';
import type { OAuthApi } from '#lib/vendors/networks/network.ts';
import { networkApp } from '#lib/vendors/networks/network-app.ts';
import { requestedScopes } from '#lib/vendors/networks/scopes.ts';
import { platform } from './call.ts';
import { listChannels } from './channels.ts';
import { requestTokens } from './tokens.ts';

/** Consent at Google, with PKCE. People can grant some of the scopes only. */
export const oauth: OAuthApi = {
  needsPkce: true,
  authorizationUrl: async ({ redirectUri, state, codeChallenge }) => {
    const { clientId } = await networkApp(platform);

    return authorizationUrl(`${config.networks.youtube.authBase}/o/oauth2/v2/auth`, {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: requestedScopes[platform].join(' '),
      state,
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
      // Together, these parameters make Google return a refresh token, even to people who have
      // connected before.
      access_type: 'offline',
      prompt: 'consent',
    });
  },
  exchangeCode: ({ code, redirectUri, codeVerifier }) =>
    requestTokens({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: codeVerifier,
    }),
  listChoices: async (tokens) => {
    const channels = await listChannels(tokens, 'snippet');

    return channels.map(({ id, snippet }) => ({
      platformUserId: id,
      name: snippet?.title ?? id,
      kind: 'CHANNEL',
      avatarUrl: snippet?.thumbnails?.default?.url ?? null,
      tokens,
    }));
  },
};
