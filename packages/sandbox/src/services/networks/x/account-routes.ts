import { jsonAnswer } from '../../../frame/http.ts';
import type { SandboxAnswer } from '../../../frame/service.ts';
import { exchangeGrant, type GrantProblem } from '../consent/code-exchange.ts';
import { ownAccountGrant } from '../consent/person-grant.ts';
import type { NetworkCall, NetworkRoute } from '../network-definition.ts';
import { accountOf, postsOf, profileOf } from '../network-world.ts';
import type { Grant } from '../token-store.ts';
import { requireGrant } from './api.ts';
import { askForConsent } from './consent-routes.ts';
import { only, requestedUserFields } from './fields.ts';

/** Tokens and the account. */
export const accountRoutes: readonly NetworkRoute[] = [
  { method: 'GET', path: /^\/i\/oauth2\/authorize$/, answer: askForConsent },
  { method: 'POST', path: /^\/2\/oauth2\/token$/, answer: exchange },
  { method: 'GET', path: /^\/2\/users\/me$/, answer: readMe },
  { method: 'GET', path: /^\/2\/users\/([^/]+)$/, answer: readUser },
];

/** Exchanges a code or a refresh token. Requires Basic authentication. Both work once. */
function exchange({ world, request }: NetworkCall): SandboxAnswer {
  const { clientId, clientSecret } = world.app;
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');

  if (request.headers.authorization !== `Basic ${basic}`) {
    return oauthError(401, 'unauthorized_client', 'Missing valid authorization header');
  }

  return exchangeGrant(world, new URLSearchParams(request.body), {
    grantOf: ownAccountGrant,
    answer: (grant, issued) =>
      tokenAnswer(
        grant,
        !issued || (issued.person.hasRefreshToken && issued.scopes.includes('offline.access')),
      ),
    reject: (problem) =>
      problem === 'grantType'
        ? oauthError(400, 'unsupported_grant_type', 'Grant type is not supported')
        : oauthError(400, 'invalid_request', grantProblems[problem]),
  });
}

const invalidCode = 'Value passed for the authorization code was invalid.';
const grantProblems: Readonly<Record<Exclude<GrantProblem, 'grantType'>, string>> = {
  unknown: invalidCode,
  used: invalidCode,
  expired: invalidCode,
  redirectUri: 'Value passed for the redirect uri did not match the uri of the authorization code.',
  verifier: 'Value passed for the code verifier did not match the code challenge.',
  refreshToken: 'Value passed for the token was invalid.',
};

function tokenAnswer(grant: Grant, hasRefreshToken: boolean): SandboxAnswer {
  return jsonAnswer(200, {
    token_type: 'bearer',
    expires_in: 7_200,
    access_token: grant.accessToken,
    ...(hasRefreshToken ? { refresh_token: grant.refreshToken } : {}),
    scope: grant.scopes.join(' '),
  });
}

function oauthError(status: number, error: string, description: string): SandboxAnswer {
  return jsonAnswer(status, { error, error_description: description });
}

function readMe(call: NetworkCall): SandboxAnswer {
  const { userId } = requireGrant(call, 'users.read', 'tweet.read');
  const { world, request } = call;
  const { name, followers, avatarUrl } = accountOf(world, userId);
  const user = {
    id: userId,
    name,
    username: usernameOf(name),
    ...(avatarUrl ? { profile_image_url: avatarUrl } : {}),
    public_metrics: {
      followers_count: followers,
      following_count: 0,
      post_count: postsOf(world, userId).length,
      listed_count: 0,
    },
  };

  return jsonAnswer(200, { data: only(user, requestedUserFields(request)) });
}

function readUser(call: NetworkCall): SandboxAnswer {
  const { userId } = requireGrant(call, 'users.read', 'tweet.read');
  const fields = requestedUserFields(call.request);
  const [id = ''] = call.parts;
  const profile = profileOf(call.world, userId, id);

  if (profile === undefined) {
    return jsonAnswer(200, {
      errors: [
        {
          detail: `Could not find user with id: [${id}].`,
          title: 'Not Found Error',
          resource_type: 'user',
          type: 'https://api.twitter.com/2/problems/resource-not-found',
        },
      ],
    });
  }
  const { name, username = usernameOf(name), avatarUrl } = profile;

  const user = { id, name, username, ...(avatarUrl ? { profile_image_url: avatarUrl } : {}) };

  return jsonAnswer(200, { data: only(user, fields) });
}

/** Returns an X handle: up to 15 letters, digits and underscores. */
export function usernameOf(name: string): string {
  return name.replaceAll(/\W+/g, '_').slice(0, 15);
}
