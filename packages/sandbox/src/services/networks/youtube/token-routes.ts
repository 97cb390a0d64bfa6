import { jsonAnswer } from '../../../frame/http.ts';
import type { SandboxAnswer } from '../../../frame/service.ts';
import { authorize, type ConsentRules } from '../consent/authorization-page.ts';
import { exchangeGrant, type GrantProblem } from '../consent/code-exchange.ts';
import { personGrant } from '../consent/person-grant.ts';
import type { NetworkCall, NetworkRoute } from '../network-definition.ts';
import type { NetworkWorld } from '../network-world.ts';
import type { Grant } from '../token-store.ts';
import { scopes } from './api.ts';

const rules: ConsentRules = {
  networkName: 'Google',
  clientParameter: 'client_id',
  clients: ({ app }) => [
    { clientId: app.clientId, needsPkce: true, scopes: Object.values(scopes) },
  ],
  scopeSeparator: ' ',
  managesAccounts: true,
  denial: { error: 'access_denied' },
  grantedParameter: 'scope',
};

/** Google's OAuth 2 server. */
export const tokenRoutes: readonly NetworkRoute[] = [
  { method: 'GET', path: /^\/o\/oauth2\/v2\/auth$/, answer: (call) => authorize(call, rules) },
  { method: 'GET', path: /^\/tokeninfo$/, answer: tokenInfo },
  { method: 'POST', path: /^\/token$/, answer: exchange },
  { method: 'POST', path: /^\/revoke$/, answer: revoke },
];

function tokenInfo({ world, request }: NetworkCall): SandboxAnswer {
  const { state, grant } = world.tokens.check(request.query.get('access_token') ?? '');

  if (state !== 'valid' || grant === undefined) {
    return oauthError(400, 'invalid_token', 'Invalid Value');
  }

  const expiresIn = secondsUntil(world.clock(), grant.expiresAt);

  return jsonAnswer(200, {
    azp: world.app.clientId,
    aud: world.app.clientId,
    scope: grant.scopes.join(' '),
    exp: String(Math.floor(world.clock().getTime() / 1_000) + expiresIn),
    expires_in: String(expiresIn),
    access_type: 'offline',
  });
}

/** Exchanges a code or a refresh token. A refresh token stays valid and is not returned again. */
function exchange({ world, request }: NetworkCall): SandboxAnswer {
  const form = new URLSearchParams(request.body);
  const { clientId, clientSecret } = world.app;

  if (form.get('client_id') !== clientId || form.get('client_secret') !== clientSecret) {
    return oauthError(401, 'invalid_client', 'The OAuth client was not found.');
  }

  return exchangeGrant(world, form, {
    grantOf: (issued) => {
      const person = personGrant(issued);

      // The API does not name the channel of an upload or a reply. It uses the first one.
      return { ...person, userId: person.pages?.[0]?.id ?? person.userId };
    },
    answer: (grant, issued) =>
      tokenAnswer(world, grant, Boolean(issued?.isOffline && issued.person.hasRefreshToken)),
    reject: rejectGrant,
  });
}

function rejectGrant(problem: GrantProblem): SandboxAnswer {
  switch (problem) {
    case 'grantType':
      return oauthError(400, 'unsupported_grant_type', 'Invalid grant_type');
    case 'refreshToken':
      return oauthError(400, 'invalid_grant', 'Token has been expired or revoked.');
    case 'redirectUri':
      return oauthError(400, 'redirect_uri_mismatch', 'Bad Request');
    default:
      return oauthError(400, 'invalid_grant', 'Malformed auth code.');
  }
}

function tokenAnswer(world: NetworkWorld, grant: Grant, hasRefreshToken: boolean): SandboxAnswer {
  return jsonAnswer(200, {
    access_token: grant.accessToken,
    expires_in: secondsUntil(world.clock(), grant.expiresAt),
    ...(hasRefreshToken ? { refresh_token: grant.refreshToken } : {}),
    scope: grant.scopes.join(' '),
    token_type: 'Bearer',
  });
}

function revoke({ world, request }: NetworkCall): SandboxAnswer {
  const token = new URLSearchParams(request.body).get('token') ?? '';

  return world.tokens.revoke(token)
    ? jsonAnswer(200, {})
    : oauthError(400, 'invalid_token', 'Token expired or revoked');
}

function oauthError(status: number, error: string, description: string): SandboxAnswer {
  return jsonAnswer(status, { error, error_description: description });
}

function secondsUntil(at: Date, until: Date | null): number {
  return until === null ? 3_600 : Math.max(0, Math.floor((until.getTime() - at.getTime()) / 1_000));
}
