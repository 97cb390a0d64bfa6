import * as z from 'zod';
import type { SandboxAnswer } from '../../../frame/service.ts';
import type { NetworkCall, NetworkRoute } from '../network-definition.ts';
import {
  businessAnswer,
  businessAppOf,
  businessIdOf,
  businessPath,
  businessTokens,
  parseBusiness,
  rejectBusiness,
  requireBusinessApp,
  requireBusinessGrant,
} from './business-api.ts';

const refresh = z.object({
  client_id: z.string(),
  client_secret: z.string(),
  grant_type: z.literal('refresh_token'),
  refresh_token: z.string(),
});
const inspection = z.object({ app_id: z.string(), access_token: z.string() });

/** Tokens of the Business app. */
export const businessAccountRoutes: readonly NetworkRoute[] = [
  { method: 'POST', path: businessPath('tt_user/oauth2/refresh_token'), answer: refreshToken },
  { method: 'POST', path: businessPath('tt_user/token_info/get'), answer: inspectToken },
];

function refreshToken(call: NetworkCall): SandboxAnswer {
  const body = parseBusiness(refresh, call);
  requireBusinessApp(call.world, body.client_id, body.client_secret);
  const grant = businessTokens(call.world).refresh(body.refresh_token);

  if (grant === undefined) {
    return rejectBusiness(40_107, 'The refresh_token is incorrect or has been used.');
  }

  return businessAnswer({
    access_token: grant.accessToken,
    expires_in: 86_400,
    refresh_token: grant.refreshToken,
    refresh_token_expires_in: 31_536_000,
    open_id: businessIdOf(grant.userId),
    scope: grant.scopes.join(','),
    token_type: 'Bearer',
  });
}

/** Takes the token from the body, and works only for tokens of the app. */
function inspectToken(call: NetworkCall): SandboxAnswer {
  const body = parseBusiness(inspection, call);
  const grant = requireBusinessGrant(call.world, body.access_token);

  if (body.app_id !== businessAppOf(call.world).clientId) {
    rejectBusiness(40_001, 'The token was not issued to this app.');
  }

  return businessAnswer({
    app_id: body.app_id,
    creator_id: businessIdOf(grant.userId),
    scope: grant.scopes.join(','),
  });
}
