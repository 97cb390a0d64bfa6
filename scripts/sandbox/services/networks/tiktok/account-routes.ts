import { jsonAnswer } from '../../../frame/http.ts';
import type { SandboxAnswer } from '../../../frame/service.ts';
import type { NetworkCall, NetworkRoute } from '../network-definition.ts';
import { accountOf, metricOf, postsOf } from '../network-world.ts';
import { apiAnswer, rejectParameter, requireGrant } from './api.ts';

/** Tokens and the account. */
export const accountRoutes: readonly NetworkRoute[] = [
  { method: 'POST', path: /^\/v2\/oauth\/token\/$/, answer: refreshToken },
  { method: 'GET', path: /^\/v2\/user\/info\/$/, answer: readUser },
];

/** The scope that each user field requires. */
const fieldScopes: Readonly<Record<string, string>> = {
  open_id: 'user.info.basic',
  display_name: 'user.info.basic',
  username: 'user.info.profile',
  follower_count: 'user.info.stats',
  likes_count: 'user.info.stats',
  video_count: 'user.info.stats',
};

/** Refreshes a token. Errors have a different format than in the rest of the API. */
function refreshToken({ world, request }: NetworkCall): SandboxAnswer {
  const form = new URLSearchParams(request.body);
  const { clientId, clientSecret } = world.app;

  if (form.get('client_key') !== clientId || form.get('client_secret') !== clientSecret) {
    return oauthError(401, 'invalid_client', 'Client key or secret is incorrect.');
  }

  if (form.get('grant_type') !== 'refresh_token') {
    return oauthError(400, 'unsupported_grant_type', 'Grant type is not supported.');
  }

  const grant = world.tokens.refresh(form.get('refresh_token') ?? '');

  if (grant === undefined) {
    return oauthError(400, 'invalid_grant', 'Refresh token is invalid or expired.');
  }

  return jsonAnswer(200, {
    open_id: grant.userId,
    scope: grant.scopes.join(','),
    access_token: grant.accessToken,
    expires_in: 86_400,
    refresh_token: grant.refreshToken,
    refresh_expires_in: 31_536_000,
    token_type: 'Bearer',
  });
}

function oauthError(status: number, error: string, description: string): SandboxAnswer {
  return jsonAnswer(status, { error, error_description: description, log_id: '0' });
}

function readUser(call: NetworkCall): SandboxAnswer {
  const fields = (call.request.query.get('fields') ?? '').split(',').filter(Boolean);
  const unknown = fields.find((field) => !Object.hasOwn(fieldScopes, field));

  if (fields.length === 0 || unknown !== undefined) {
    rejectParameter(`Fields is not valid: ${unknown ?? 'it is empty'}`);
  }

  const { userId } = requireGrant(call, ...fields.map((field) => fieldScopes[field] ?? ''));
  const { name, followers } = accountOf(call.world, userId);
  const posts = postsOf(call.world, userId);
  const user: Readonly<Record<string, unknown>> = {
    open_id: userId,
    display_name: name,
    username: usernameOf(name),
    follower_count: followers,
    likes_count: posts.reduce((sum, post) => sum + metricOf(post, 'likes'), 0),
    video_count: posts.length,
  };

  return apiAnswer({ user: Object.fromEntries(fields.map((field) => [field, user[field]])) });
}

/** Returns a TikTok handle: lowercase letters, digits, underscores and periods. */
export function usernameOf(name: string): string {
  return name.replaceAll(/[^\w.]+/g, '_').toLowerCase();
}
