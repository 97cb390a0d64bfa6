import { secondMs } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import {
  callNetwork,
  type Explanation,
  type NetworkAnswer,
  readAnswer,
} from '#lib/vendors/networks/call-network.ts';
import type {
  AccountTokensApi,
  Credentials,
  TokenFacts,
  Tokens,
} from '#lib/vendors/networks/network.ts';
import { networkApp } from '#lib/vendors/networks/network-app.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { oauthError, scopesOf, tokenAnswer, toTokens } from '#lib/vendors/networks/token-answer.ts';
import * as z from '#schemas/zod.ts';
import { platform } from './call.ts';
import { countFollowers, listOrganizations, readOrganizationNames } from './organizations.ts';

const introspection = z.object({
  active: z.boolean(),
  scope: z.string().optional(),
  expires_at: z.number().min(0).max(1e11).optional(),
});

export const validateToken: AccountTokensApi['validateToken'] = async (credentials) => {
  const [facts, organizations] = await Promise.all([
    introspect(credentials.accessToken),
    listOrganizations(credentials),
  ]);

  return { ...facts, platformUserIds: organizations.map(({ id }) => id) };
};

export const listPages: AccountTokensApi['listPages'] = async (credentials) => {
  const organizations = await listOrganizations(credentials);
  const ids = organizations.map(({ id }) => id);
  const [named, followers] = await Promise.all([
    readOrganizationNames(credentials, ids),
    Promise.all(ids.map((id) => findFollowers({ ...credentials, platformUserId: id }))),
  ]);

  return ids.map((id, index) => {
    const { name = id, vanityName = id } = named[index] ?? {};

    return {
      platformPageId: id,
      name,
      category: null,
      url: `https://www.linkedin.com/company/${encodeURIComponent(vanityName)}`,
      isActive: true,
      followersCount: followers[index] ?? null,
      lastPostDate: null,
    };
  });
};

/** Returns `null` if the member may not read the number of followers. */
async function findFollowers(credentials: Credentials): Promise<number | null> {
  try {
    return await countFollowers(credentials);
  } catch (failure) {
    if (failure instanceof NetworkError && failure.kind === 'scopeMissing') {
      return null;
    }
    throw failure;
  }
}

/** Refreshes the access token. The refresh token is reusable and valid for a year from consent. */
export const refreshToken: AccountTokensApi['refreshToken'] = async (tokens) => {
  if (!tokens.refreshToken) {
    throw new NetworkError(platform, 'tokenInvalid', {
      message: 'LinkedIn returned no refresh token. Please connect the account again',
    });
  }

  return requestTokens({ grant_type: 'refresh_token', refresh_token: tokens.refreshToken });
};

async function introspect(token: string): Promise<Omit<TokenFacts, 'platformUserIds'>> {
  const { clientId, clientSecret } = await networkApp(platform);
  const answer = await callOauth('/oauth/v2/introspectToken', {
    client_id: clientId,
    client_secret: clientSecret,
    token,
  });
  const { active, scope, expires_at } = readAnswer(platform, introspection, answer);
  if (!active) {
    throw new NetworkError(platform, 'tokenInvalid', {
      message: 'The token is not active',
    });
  }

  return {
    ...(scope === undefined ? {} : { scopes: scopesOf(scope) }),
    ...(expires_at === undefined
      ? {}
      : { expiresAt: new Date(expires_at * secondMs).toISOString() }),
  };
}

/**
 * Exchanges a code or a refresh token. LinkedIn returns refresh tokens to approved apps only.
 *
 * @throws NetworkError `tokenInvalid` if LinkedIn rejects the code or the refresh token.
 */
export async function requestTokens(grant: Readonly<Record<string, string>>): Promise<Tokens> {
  const { clientId, clientSecret } = await networkApp(platform);
  const answer = await callOauth('/oauth/v2/accessToken', {
    ...grant,
    client_id: clientId,
    client_secret: clientSecret,
  });

  return toTokens(readAnswer(platform, tokenAnswer, answer));
}

/**
 * Calls LinkedIn's OAuth 2 server. Safe to retry: introspection changes nothing, and a new access
 * token leaves the old one valid.
 */
function callOauth(path: string, form: Readonly<Record<string, string>>): Promise<NetworkAnswer> {
  return callNetwork({
    platform: platform,
    method: 'POST',
    url: `${config.networks.linkedin.oauthBase}${path}`,
    form,
    isHarmless: true,
    explain: explainTokenError,
  });
}

function explainTokenError(answer: NetworkAnswer): Explanation | undefined {
  const { error, error_description } = oauthError.safeParse(answer.json).data ?? {};
  if (error === undefined || answer.status >= 500 || answer.status === 429) {
    return undefined;
  }
  // Wrong app credentials are a configuration error, not a problem of the account.
  const kind = error === 'invalid_client' ? 'unavailable' : 'tokenInvalid';

  return { kind, message: error_description ?? error, code: error };
}
