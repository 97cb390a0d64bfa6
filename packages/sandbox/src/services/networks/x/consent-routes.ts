import type { SandboxAnswer } from '../../../frame/service.ts';
import { authorize, type ConsentRules } from '../consent/authorization-page.ts';
import type { NetworkCall } from '../network-definition.ts';
import { userScopes } from './scopes.ts';

const rules: ConsentRules = {
  networkName: 'X',
  clientParameter: 'client_id',
  clients: ({ app }) => [{ clientId: app.clientId, needsPkce: true, scopes: userScopes }],
  scopeSeparator: ' ',
  managesAccounts: false,
  denial: { error: 'access_denied' },
};

/** The authorization page. */
export function askForConsent(call: NetworkCall): SandboxAnswer {
  return authorize(call, rules);
}
