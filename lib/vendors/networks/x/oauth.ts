import { config } from '#lib/platform/config.ts';
import { authorizationUrl } from '#lib/vendors/networks/authorization-url.ts';
import type { OAuthApi } from '#lib/vendors/networks/network.ts';
import { networkApp } from '#lib/vendors/networks/network-app.ts';
import { requestedScopes } from '#lib/vendors/networks/scopes.ts';
import { platform } from './call.ts';
import { readUser, requestTokens } from './tokens.ts';

/** Consent at X, with PKCE, as a confidential client. */
export const oauth: OAuthApi = {
  needsPkce: true,
  authorizationUrl: async ({ redirectUri, state, codeChallenge }) => {
    const { clientId } = await networkApp(platform);

    return authorizationUrl(`${config.networks.twitter.authBase}/i/oauth2/authorize`, {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: requestedScopes[platform].join(' '),
      state,
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    });
  },
  exchangeCode: ({ code, redirectUri, codeVerifier }) =>
    requestTokens({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: codeVerifier,
    }),
  /** Returns the account itself. */
  listChoices: async (tokens) => {
    const user = await readUser(tokens, 'username,profile_image_url');

    return [
      {
        platformUserId: user.id,
        name: user.name,
        kind: 'PROFILE',
        avatarUrl: user.profile_image_url ?? null,
        tokens,
      },
    ];
  },
};
