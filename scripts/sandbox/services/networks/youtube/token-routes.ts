import { jsonAnswer } from '../../../frame/http.ts';
import type { SandboxAnswer } from '../../../frame/service.ts';
import type { NetworkCall, NetworkRoute } from '../network-definition.ts';

/** Google's OAuth 2 server. */
export const tokenRoutes: readonly NetworkRoute[] = [
  { method: 'GET', path: /^\/tokeninfo$/, answer: tokenInfo },
  { method: 'POST', path: /^\/token$/, answer: refresh },
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

/** Refreshes a token. The refresh token stays valid and is not returned. */
function refresh({ world, request }: NetworkCall): SandboxAnswer {
  const form = new URLSearchParams(request.body);
  const { clientId, clientSecret } = world.app;

  if (form.get('client_id') !== clientId || form.get('client_secret') !== clientSecret) {
    return oauthError(401, 'invalid_client', 'The OAuth client was not found.');
  }

  if (form.get('grant_type') !== 'refresh_token') {
    return oauthError(400, 'unsupported_grant_type', 'Invalid grant_type');
  }

  const grant = world.tokens.refresh(form.get('refresh_token') ?? '');

  if (grant === undefined) {
    return oauthError(400, 'invalid_grant', 'Token has been expired or revoked.');
  }

  return jsonAnswer(200, {
    access_token: grant.accessToken,
    expires_in: secondsUntil(world.clock(), grant.expiresAt),
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
