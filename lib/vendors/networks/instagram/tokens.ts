import { config } from '#lib/platform/config.ts';
import {
  callNetwork,
  type Explanation,
  type NetworkAnswer,
  readAnswer,
} from '#lib/vendors/networks/call-network.ts';
import { explainGraph } from '#lib/vendors/networks/meta/explain-graph.ts';
import type { AccountTokensApi, NetworkPage } from '#lib/vendors/networks/network.ts';
import { scopesOf } from '#lib/vendors/networks/token-answer.ts';
import * as z from '#schemas/zod.ts';
import { call, platform } from './call.ts';

const me = z.object({
  // Not `id`, which is scoped to the app and does not appear in events.
  user_id: z.coerce.string(),
  username: z.string(),
  name: z.string().optional(),
  account_type: z.string().optional(),
  followers_count: z.number().optional(),
});
const tokenResponse = z.object({
  access_token: z.string(),
  expires_in: z.number(),
  permissions: z.string().optional(),
});

/** Returns only the account: Instagram reports neither scopes nor expiry. */
export const validateToken: AccountTokensApi['validateToken'] = async (credentials) => {
  const answer = await call(credentials, {
    path: '/me',
    query: { fields: 'user_id,username' },
  });

  return { platformUserIds: [readAnswer(platform, me, answer).user_id] };
};

/**
 * Exchanges the access token for one with a full lifetime. The token must be valid and at least a
 * day old. This path has no API version.
 */
export const refreshToken: AccountTokensApi['refreshToken'] = async ({ accessToken }) => {
  const answer = await callNetwork({
    platform,
    url: `${config.networks.instagram.apiBase}/refresh_access_token`,
    query: { grant_type: 'ig_refresh_token', access_token: accessToken },
    explain: explainTokenError,
  });
  const token = readAnswer(platform, tokenResponse, answer);

  return {
    accessToken: token.access_token,
    expiresInSeconds: token.expires_in,
    ...(token.permissions ? { scopes: scopesOf(token.permissions) } : {}),
  };
};

/**
 * Treats a missing permission as `refused`, because Instagram reports a token that is too young
 * this way.
 *
 * Unverified: the code for a token that is too young. See docs/operations.md.
 */
function explainTokenError(answer: NetworkAnswer): Explanation | undefined {
  const explanation = explainGraph({ method: 'GET' }, answer);

  return explanation?.kind === 'scopeMissing' ? { ...explanation, kind: 'refused' } : explanation;
}

/** Returns the account itself: an account that logged in at Instagram has no pages. */
export const listPages: AccountTokensApi['listPages'] = async (credentials) => {
  const answer = await call(credentials, {
    path: '/me',
    query: { fields: 'user_id,username,name,account_type,followers_count' },
  });
  const account = readAnswer(platform, me, answer);
  const page: NetworkPage = {
    platformPageId: account.user_id,
    name: account.name ?? account.username,
    category: account.account_type ?? null,
    url: `https://www.instagram.com/${encodeURIComponent(account.username)}/`,
    isActive: true,
    followersCount: account.followers_count ?? null,
    lastPostDate: null,
  };

  return [page];
};
