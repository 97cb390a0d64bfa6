import { jsonAnswer } from '../../../frame/http.ts';
import type { SandboxAnswer } from '../../../frame/service.ts';
import type { NetworkCall, NetworkRoute } from '../network-definition.ts';
import { accountOf, postsOf, profileOf } from '../network-world.ts';
import { requireGrant } from './api.ts';

/** Tokens and the account. */
export const accountRoutes: readonly NetworkRoute[] = [
  { method: 'POST', path: /^\/2\/oauth2\/token$/, answer: refreshToken },
  { method: 'GET', path: /^\/2\/users\/me$/, answer: readMe },
  { method: 'GET', path: /^\/2\/users\/([^/]+)$/, answer: readUser },
];

/** Refreshes a token. Requires Basic authentication. A refresh token works once. */
function refreshToken({ world, request }: NetworkCall): SandboxAnswer {
  const { clientId, clientSecret } = world.app;
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');

  if (request.headers.authorization !== `Basic ${basic}`) {
    return oauthError(401, 'unauthorized_client', 'Missing valid authorization header');
  }

  const form = new URLSearchParams(request.body);

  if (form.get('grant_type') !== 'refresh_token') {
    return oauthError(400, 'unsupported_grant_type', 'Grant type is not supported');
  }

  const grant = world.tokens.refresh(form.get('refresh_token') ?? '');

  if (grant === undefined) {
    return oauthError(400, 'invalid_request', 'Value passed for the token was invalid.');
  }

  return jsonAnswer(200, {
    token_type: 'bearer',
    expires_in: 7_200,
    access_token: grant.accessToken,
    refresh_token: grant.refreshToken,
    scope: grant.scopes.join(' '),
  });
}

function oauthError(status: number, error: string, description: string): SandboxAnswer {
  return jsonAnswer(status, { error, error_description: description });
}

function readMe(call: NetworkCall): SandboxAnswer {
  const { userId } = requireGrant(call, 'users.read', 'tweet.read');
  const { world } = call;
  const { name, followers } = accountOf(world, userId);

  return jsonAnswer(200, {
    data: {
      id: userId,
      name,
      username: usernameOf(name),
      public_metrics: {
        followers_count: followers,
        following_count: 0,
        post_count: postsOf(world, userId).length,
        listed_count: 0,
      },
    },
  });
}

function readUser(call: NetworkCall): SandboxAnswer {
  const { userId } = requireGrant(call, 'users.read', 'tweet.read');
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

  return jsonAnswer(200, {
    data: { id, name, username, ...(avatarUrl ? { profile_image_url: avatarUrl } : {}) },
  });
}

/** Returns an X handle: up to 15 letters, digits and underscores. */
export function usernameOf(name: string): string {
  return name.replaceAll(/\W+/g, '_').slice(0, 15);
}
