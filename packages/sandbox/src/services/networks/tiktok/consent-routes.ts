import type { SandboxAnswer } from '../../../frame/service.ts';
import { authorize, type ConsentRules } from '../consent/authorization-page.ts';
import type { NetworkCall } from '../network-definition.ts';
import { businessAppOf, businessScopes } from './business-api.ts';
import { userScopes } from './scopes.ts';

const rules: ConsentRules = {
  networkName: 'TikTok',
  clientParameter: 'client_key',
  clients: (world) => [
    { clientId: world.app.clientId, needsPkce: true, scopes: userScopes },
    // The token endpoint of the Business API has no parameter for a code verifier.
    { clientId: businessAppOf(world).clientId, needsPkce: false, scopes: businessScopes },
  ],
  scopeSeparator: ',',
  managesAccounts: false,
  denial: {
    error: 'access_denied',
    error_description: 'User denied the authorization request',
  },
  grantedParameter: 'scopes',
};

/** The authorization page of both apps. */
export function askForConsent(call: NetworkCall): SandboxAnswer {
  return authorize(call, rules);
}
