import { jsonAnswer } from '../../../frame/http.ts';
import type { SandboxAnswer } from '../../../frame/service.ts';
import { exchangeGrant, type GrantProblem } from '../consent/code-exchange.ts';
import { ownAccountGrant } from '../consent/person-grant.ts';
import type { NetworkCall, NetworkRoute } from '../network-definition.ts';
import { accountOf, metricOf, postsOf } from '../network-world.ts';
import type { Grant } from '../token-store.ts';
import { apiAnswer, requestedFields, requireGrant } from './api.ts';
import { askForConsent } from './consent-routes.ts';

/** Tokens and the account. */
export const accountRoutes: readonly NetworkRoute[] = [
  { method: 'GET', path: /^\/v2\/auth\/authorize\/$/, answer: askForConsent },
  { method: 'POST', path: /^\/v2\/oauth\/token\/$/, answer: exchange },
  { method: 'GET', path: /^\/v2\/user\/info\/$/, answer: readUser },
];

/** The scope that each user field requires. */
const fieldScopes: Readonly<Record<string, string>> = {
  open_id: 'user.info.basic',
  union_id: 'user.info.basic',
  display_name: 'user.info.basic',
  avatar_url: 'user.info.basic',
  avatar_url_100: 'user.info.basic',
  avatar_large_url: 'user.info.basic',
  bio_description: 'user.info.profile',
  profile_deep_link: 'user.info.profile',
  is_verified: 'user.info.profile',
  username: 'user.info.profile',
  follower_count: 'user.info.stats',
  following_count: 'user.info.stats',
  likes_count: 'user.info.stats',
  video_count: 'user.info.stats',
};

/**
 * Exchanges a code or a refresh token. Errors have a different format than in the rest of the API.
 */
function exchange({ world, request }: NetworkCall): SandboxAnswer {
  const form = new URLSearchParams(request.body);
  const { clientId, clientSecret } = world.app;

  if (form.get('client_key') !== clientId || form.get('client_secret') !== clientSecret) {
    return oauthError(401, 'invalid_client', 'Client key or secret is incorrect.');
  }

  return exchangeGrant(world, form, {
    grantOf: ownAccountGrant,
    answer: (grant, issued) => tokenAnswer(grant, issued?.person.hasRefreshToken ?? true),
    reject: (problem) => oauthError(400, ...grantProblems[problem]),
  });
}

const grantProblems: Readonly<Record<GrantProblem, readonly [string, string]>> = {
  unknown: ['invalid_grant', 'Authorization code is invalid.'],
  used: ['invalid_grant', 'Authorization code is expired.'],
  expired: ['invalid_grant', 'Authorization code is expired.'],
  redirectUri: [
    'invalid_request',
    'Redirect_uri is not matched with the uri when requesting code.',
  ],
  verifier: ['invalid_request', 'Code verifier or code challenge is invalid.'],
  refreshToken: ['invalid_grant', 'Refresh token is invalid or expired.'],
  grantType: ['unsupported_grant_type', 'Grant type is not supported.'],
};

function tokenAnswer(grant: Grant, hasRefreshToken: boolean): SandboxAnswer {
  return jsonAnswer(200, {
    open_id: grant.userId,
    scope: grant.scopes.join(','),
    access_token: grant.accessToken,
    expires_in: 86_400,
    ...(hasRefreshToken
      ? { refresh_token: grant.refreshToken, refresh_expires_in: 31_536_000 }
      : {}),
    token_type: 'Bearer',
  });
}

function oauthError(status: number, error: string, description: string): SandboxAnswer {
  return jsonAnswer(status, { error, error_description: description, log_id: '0' });
}

function readUser(call: NetworkCall): SandboxAnswer {
  const fields = requestedFields(call.request, Object.keys(fieldScopes));
  const { userId } = requireGrant(call, ...fields.map((field) => fieldScopes[field] ?? ''));
  const { name, followers, avatarUrl } = accountOf(call.world, userId);
  const posts = postsOf(call.world, userId);
  const user: Readonly<Record<string, unknown>> = {
    open_id: userId,
    display_name: name,
    avatar_url: avatarUrl,
    avatar_url_100: avatarUrl,
    avatar_large_url: avatarUrl,
    is_verified: false,
    username: usernameOf(name),
    follower_count: followers,
    following_count: 0,
    likes_count: posts.reduce((sum, post) => sum + metricOf(post, 'likes'), 0),
    video_count: posts.length,
  };

  return apiAnswer({ user: Object.fromEntries(fields.map((field) => [field, user[field]])) });
}

/** Returns a TikTok handle: lowercase letters, digits, underscores and periods. */
export function usernameOf(name: string): string {
  return name.replaceAll(/[^\w.]+/g, '_').toLowerCase();
}
