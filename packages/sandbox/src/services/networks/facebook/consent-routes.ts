import { jsonAnswer } from '../../../frame/http.ts';
import type { SandboxAnswer } from '../../../frame/service.ts';
import { authorize, type ConsentRules } from '../consent/authorization-page.ts';
import { type CodeProblem, redeemCode } from '../consent/code-exchange.ts';
import { personGrant } from '../consent/person-grant.ts';
import { graphPath, reject } from '../meta/api.ts';
import type { NetworkCall, NetworkRoute } from '../network-definition.ts';
import { pageScopes } from './scopes.ts';

/** A person's short-lived token is valid for an hour. */
export const shortLivedSeconds = 3_600;
const longLivedSeconds = 60 * 86_400;

const rules: ConsentRules = {
  networkName: 'Facebook',
  clientParameter: 'client_id',
  clients: ({ app }) => [{ clientId: app.clientId, needsPkce: false, scopes: pageScopes }],
  scopeSeparator: ',',
  managesAccounts: true,
  denial: {
    error: 'access_denied',
    error_code: '200',
    error_description: 'Permissions error',
    error_reason: 'user_denied',
  },
};

/** The login dialog and the exchange of codes and short-lived tokens. */
export const consentRoutes: readonly NetworkRoute[] = [
  { method: 'GET', path: graphPath('/dialog/oauth'), answer: (call) => authorize(call, rules) },
  { method: 'GET', path: graphPath('/oauth/access_token'), answer: exchange },
];

const problems: Readonly<Record<CodeProblem, readonly [number, string]>> = {
  unknown: [0, 'Invalid verification code format.'],
  used: [36_009, 'This authorization code has been used.'],
  expired: [36_007, 'This authorization code has expired.'],
  redirectUri: [
    36_008,
    'Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request',
  ],
  verifier: [0, 'Invalid code_verifier.'],
};

function exchange(call: NetworkCall): SandboxAnswer {
  const { world, request } = call;
  const { query } = request;
  const { clientId, clientSecret } = world.app;

  if (query.get('client_id') !== clientId) {
    reject({ status: 400, code: 101, message: 'Error validating application.' });
  }

  if (query.get('client_secret') !== clientSecret) {
    reject({ status: 400, code: 1, message: 'Error validating client secret.' });
  }

  return query.get('grant_type') === 'fb_exchange_token' ? exchangeToken(call) : exchangeCode(call);
}

function exchangeCode({ world, request: { query } }: NetworkCall): SandboxAnswer {
  const redeemed = redeemCode(world, {
    clientId: world.app.clientId,
    code: query.get('code'),
    redirectUri: query.get('redirect_uri'),
  });

  if (redeemed.problem !== undefined) {
    const [subcode, message] = problems[redeemed.problem];

    return reject({ status: 400, code: 100, subcode, message });
  }

  const { accessToken } = world.tokens.issue({
    ...personGrant(redeemed.issued),
    expiresIn: shortLivedSeconds,
  });

  return jsonAnswer(200, {
    access_token: accessToken,
    token_type: 'bearer',
    expires_in: shortLivedSeconds,
  });
}

/** Exchanges a person's token for a long-lived one. */
function exchangeToken({ world, request: { query } }: NetworkCall): SandboxAnswer {
  const token = query.get('fb_exchange_token') ?? '';
  const isPerson = world.tokens.check(token).grant?.isPerson === true;
  const longer = isPerson ? world.tokens.extend(token, 'asNew', longLivedSeconds) : undefined;

  if (longer === undefined) {
    return reject({ status: 400, code: 190, message: 'Invalid OAuth access token.' });
  }

  return jsonAnswer(200, {
    access_token: longer.accessToken,
    token_type: 'bearer',
    expires_in: longLivedSeconds,
  });
}
