import { config } from '#lib/platform/config.ts';
import { authorizationUrl } from '#lib/vendors/networks/authorization-url.ts';
import type { OAuthApi } from '#lib/vendors/networks/network.ts';
import { networkApp } from '#lib/vendors/networks/network-app.ts';
import { requestedScopes } from '#lib/vendors/networks/scopes.ts';
import { platform } from './call.ts';
import { listOrganizations, readOrganizationNames } from './organizations.ts';
import { requestTokens } from './tokens.ts';

/**
 * Consent at LinkedIn, without PKCE. Members grant all scopes or none. The choices are the
 * organizations that the member may publish for. This adapter does not support the member's own
 * account.
 */
export const oauth: OAuthApi = {
  needsPkce: false,
  authorizationUrl: async ({ redirectUri, state }) => {
    const { clientId } = await networkApp(platform);

    return authorizationUrl(`${config.networks.linkedin.oauthBase}/oauth/v2/authorization`, {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: requestedScopes[platform].join(' '),
      state,
    });
  },
  exchangeCode: ({ code, redirectUri }) =>
    requestTokens({ grant_type: 'authorization_code', code, redirect_uri: redirectUri }),
  listChoices: async (tokens) => {
    const ids = (await listOrganizations(tokens)).map(({ id }) => id);
    const named = await readOrganizationNames(tokens, ids);

    return ids.map((id, index) => ({
      platformUserId: id,
      name: named[index]?.name ?? id,
      kind: 'ORGANIZATION',
      // LinkedIn returns a URN. Its URL would take another call per organization.
      avatarUrl: null,
      tokens,
    }));
  },
};
