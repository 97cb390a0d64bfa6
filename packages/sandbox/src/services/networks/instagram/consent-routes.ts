import { jsonAnswer } from '../../../frame/http.ts';
import type { SandboxAnswer } from '../../../frame/service.ts';
import { authorize, type ConsentRules } from '../consent/authorization-page.ts';
import { redeemCode } from '../consent/code-exchange.ts';
import { ownAccountGrant } from '../consent/person-grant.ts';
import { reject, requireGrant } from '../meta/api.ts';
import type { NetworkCall, NetworkRoute } from '../network-definition.ts';
import { accountScopes } from './scopes.ts';
import { accessSeconds, isShortLived, noteShortLived, shortLivedSeconds } from './token-life.ts';

const rules: ConsentRules = {
  networkName: 'Instagram',
  clientParameter: 'client_id',
  clients: ({ app }) => [{ clientId: app.clientId, needsPkce: false, scopes: accountScopes }],
  scopeSeparator: ',',
  managesAccounts: false,
  denial: {
    error: 'access_denied',
    error_reason: 'user_denied',
    error_description: 'The user denied your request.',
  },
};

/**
 * The authorization page, and the exchange of codes and short-lived tokens. Their paths have no API
 * version.
 */
export const consentRoutes: readonly NetworkRoute[] = [
  { method: 'GET', path: /^\/oauth\/authorize$/, answer: (call) => authorize(call, rules) },
  { method: 'POST', path: /^\/oauth\/access_token$/, answer: exchangeCode },
  { method: 'GET', path: /^\/access_token$/, answer: exchangeToken },
];

function exchangeCode({ world, request }: NetworkCall): SandboxAnswer {
  const form = new URLSearchParams(request.body);
  const { clientId, clientSecret } = world.app;

  if (form.get('client_id') !== clientId) {
    return codeError('Invalid platform app');
  }

  if (form.get('client_secret') !== clientSecret) {
    return codeError('Error validating client secret.');
  }

  if (form.get('grant_type') !== 'authorization_code') {
    return codeError('Invalid grant_type');
  }

  const redeemed = redeemCode(world, {
    clientId,
    code: form.get('code'),
    redirectUri: form.get('redirect_uri'),
  });

  if (redeemed.problem === 'redirectUri') {
    return codeError(
      'Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request',
    );
  }

  if (redeemed.problem !== undefined) {
    return codeError('Matching code was not found or was already used');
  }

  const { accessToken, userId, scopes } = world.tokens.issue({
    ...ownAccountGrant(redeemed.issued),
    expiresIn: shortLivedSeconds,
  });
  noteShortLived(world, accessToken);

  return jsonAnswer(200, {
    access_token: accessToken,
    // Scoped to the app, like the `id` of an account.
    user_id: `app-scoped-${userId}`,
    permissions: scopes,
  });
}

/** Errors of this path have a different format than in the rest of the API. */
function codeError(message: string): SandboxAnswer {
  return jsonAnswer(400, { error_type: 'OAuthException', code: 400, error_message: message });
}

/** Exchanges a short-lived token for a long-lived one. */
function exchangeToken(call: NetworkCall): SandboxAnswer {
  const { world, request } = call;
  const { query } = request;

  if (query.get('grant_type') !== 'ig_exchange_token') {
    reject({ status: 400, code: 100, message: 'Invalid grant_type' });
  }

  if (query.get('client_secret') !== world.app.clientSecret) {
    reject({ status: 400, code: 1, message: 'Error validating client secret.' });
  }

  const { accessToken } = requireGrant(call);

  if (!isShortLived(world, accessToken)) {
    reject({ status: 400, code: 452, message: 'Session key invalid. This could be because...' });
  }

  const longer = world.tokens.extend(accessToken, 'asNew');

  return jsonAnswer(200, {
    access_token: longer?.accessToken,
    token_type: 'bearer',
    expires_in: accessSeconds,
  });
}
