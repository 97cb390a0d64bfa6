import { config } from '#lib/platform/config.ts';
import {
  callNetwork,
  type Explanation,
  type NetworkAnswer,
} from '#lib/vendors/networks/call-network.ts';
import { explainGraph } from '#lib/vendors/networks/meta/explain-graph.ts';
import type { Network, NetworkPage } from '#lib/vendors/networks/network.ts';
import { readAnswer } from '#lib/vendors/networks/read-answer.ts';
import { scopesOf } from '#lib/vendors/networks/scopes-of.ts';
import * as z from '#schemas/zod.ts';
import { callInstagram } from './call.ts';

const platform = 'INSTAGRAM';

const me = z.object({
  // Not `id`, which is the app's own name for the account and stands in no event.
  user_id: z.coerce.string(),
  username: z.string(),
  name: z.string().optional(),
  account_type: z.string().optional(),
  followers_count: z.number().optional(),
});
const extended = z.object({
  access_token: z.string(),
  expires_in: z.number(),
  permissions: z.string().optional(),
});

/** Instagram says whose a token is, and neither its scopes nor its end. */
export const validateInstagramToken: Network['validateToken'] = async (credentials) => {
  const answer = await callInstagram(credentials, {
    method: 'GET',
    path: '/me',
    query: { fields: 'user_id,username' },
  });

  return { platformUserIds: [readAnswer(platform, me, answer).user_id] };
};

/**
 * The token itself is exchanged for one with its full time. It must live, and be a day old: a
 * younger one is refused. This path has no version.
 */
export const extendInstagramToken: Network['refreshToken'] = async ({ accessToken }) => {
  const answer = await callNetwork({
    platform,
    method: 'GET',
    url: `${config.networks.instagram.apiBase}/refresh_access_token`,
    query: { grant_type: 'ig_refresh_token', access_token: accessToken },
    explain: explainExtension,
  });
  const token = readAnswer(platform, extended, answer);

  return {
    accessToken: token.access_token,
    expiresInSeconds: token.expires_in,
    ...(token.permissions ? { scopes: scopesOf(token.permissions) } : {}),
  };
};

/** A token that is too young is refused as if a permission were missing (M: the code). */
function explainExtension(answer: NetworkAnswer): Explanation | undefined {
  const explanation = explainGraph({ method: 'GET' }, answer);

  return explanation?.kind === 'scopeMissing' ? { ...explanation, kind: 'refused' } : explanation;
}

/** An account that logged in by itself has no pages but itself. */
export const listInstagramPages: Network['listPages'] = async (credentials) => {
  const answer = await callInstagram(credentials, {
    method: 'GET',
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
