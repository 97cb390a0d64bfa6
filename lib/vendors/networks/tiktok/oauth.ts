import { config } from '#lib/platform/config.ts';
import { authorizationUrl } from '#lib/vendors/networks/authorization-url.ts';
import type { OAuthApi } from '#lib/vendors/networks/network.ts';
import { networkApp } from '#lib/vendors/networks/network-app.ts';
import { requestedScopes } from '#lib/vendors/networks/scopes.ts';
import { platform } from './call.ts';
import { readUser, requestTokens } from './tokens.ts';

/**
 * Consent to the public API, through Login Kit, with PKCE.
 *
 * Unverified: a challenge in base64url. TikTok documents PKCE for mobile and desktop apps only, and
 * requires hex on desktop. See docs/operations.md.
 */
export const oauth: OAuthApi = {
  needsPkce: true,
  authorizationUrl: async ({ redirectUri, state, codeChallenge }) => {
    const { clientId } = await networkApp(platform);

    return authorizationUrl(`${config.networks.tiktok.authBase}/v2/auth/authorize/`, {
      response_type: 'code',
      client_key: clientId,
      redirect_uri: redirectUri,
      scope: requestedScopes[platform].join(','),
      state,
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    });
  },
  exchangeCode: ({ code, redirectUri, codeVerifier }) =>
    requestTokens(
      {
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        code_verifier: codeVerifier,
      },
      ['invalid_grant', 'invalid_request'],
    ),
  /** Returns the account itself. */
  listChoices: async (tokens) => {
    const user = await readUser(tokens, 'open_id,display_name,avatar_url');

    return [
      {
        platformUserId: user.open_id,
        name: user.display_name,
        kind: 'PROFILE',
        avatarUrl: user.avatar_url ?? null,
        tokens,
      },
    ];
  },
};
