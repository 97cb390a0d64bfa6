import * as z from 'zod';
import { parseJson } from '../../../frame/http.ts';
import type { SandboxAnswer } from '../../../frame/service.ts';
import { redeemCode } from '../consent/code-exchange.ts';
import { ownAccountGrant } from '../consent/person-grant.ts';
import type { NetworkCall, NetworkRoute } from '../network-definition.ts';
import { accountOf } from '../network-world.ts';
import type { Grant } from '../token-store.ts';
import {
  businessAnswer,
  businessAppOf,
  businessIdOf,
  businessPath,
  businessTokens,
  parseBusiness,
  rejectBusiness,
  requireBusiness,
  requireBusinessApp,
  requireBusinessGrant,
} from './business-api.ts';

const refresh = z.object({
  client_id: z.string(),
  client_secret: z.string(),
  grant_type: z.literal('refresh_token'),
  refresh_token: z.string(),
});
const code = z.object({
  client_id: z.string(),
  client_secret: z.string(),
  grant_type: z.literal('authorization_code'),
  auth_code: z.string(),
  redirect_uri: z.string(),
});
const inspection = z.object({ app_id: z.string(), access_token: z.string() });

/** Tokens of the Business app. */
export const businessAccountRoutes: readonly NetworkRoute[] = [
  { method: 'POST', path: businessPath('tt_user/oauth2/token'), answer: exchangeCode },
  { method: 'POST', path: businessPath('tt_user/oauth2/refresh_token'), answer: refreshToken },
  { method: 'POST', path: businessPath('tt_user/token_info/get'), answer: inspectToken },
  { method: 'GET', path: businessPath('business/get'), answer: readProfile },
];

function exchangeCode(call: NetworkCall): SandboxAnswer {
  const body = parseBusiness(code, call);
  requireBusinessApp(call.world, body.client_id, body.client_secret);
  const redeemed = redeemCode(call.world, {
    clientId: body.client_id,
    code: body.auth_code,
    redirectUri: body.redirect_uri,
  });

  if (redeemed.problem !== undefined) {
    return rejectBusiness(40_105, 'The auth_code is incorrect or has been used.');
  }

  const grant = businessTokens(call.world).issue(ownAccountGrant(redeemed.issued));

  return tokenAnswer(grant, redeemed.issued.person.hasRefreshToken);
}

function refreshToken(call: NetworkCall): SandboxAnswer {
  const body = parseBusiness(refresh, call);
  requireBusinessApp(call.world, body.client_id, body.client_secret);
  const grant = businessTokens(call.world).refresh(body.refresh_token);

  if (grant === undefined) {
    return rejectBusiness(40_107, 'The refresh_token is incorrect or has been used.');
  }

  return tokenAnswer(grant, true);
}

function tokenAnswer(grant: Grant, hasRefreshToken: boolean): SandboxAnswer {
  return businessAnswer({
    access_token: grant.accessToken,
    expires_in: 86_400,
    ...(hasRefreshToken
      ? { refresh_token: grant.refreshToken, refresh_token_expires_in: 31_536_000 }
      : {}),
    open_id: businessIdOf(grant.userId),
    scope: grant.scopes.join(','),
    token_type: 'Bearer',
  });
}

/** Takes the token from the body. Accepts only tokens of this app. */
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

const profileFields = ['display_name', 'profile_image'];

/** Returns the requested fields of the account's profile. `fields` is a JSON list. */
function readProfile(call: NetworkCall): SandboxAnswer {
  const { query, headers } = call.request;
  const userId = requireBusiness(call, query.get('business_id') ?? '');
  const { scopes } = requireBusinessGrant(call.world, headers['access-token'] ?? '');
  const fields = z.array(z.enum(profileFields)).safeParse(parseJson(query.get('fields') ?? ''));

  if (!fields.success) {
    rejectBusiness(40_002, 'fields: invalid value');
  }

  if (!scopes.includes('user.info.basic')) {
    rejectBusiness(40_001, 'No permission to read user.info.basic.');
  }

  const { name, avatarUrl } = accountOf(call.world, userId);
  const profile: Readonly<Record<string, unknown>> = {
    display_name: name,
    profile_image: avatarUrl,
  };

  return businessAnswer(
    Object.fromEntries((fields.data ?? []).map((field) => [field, profile[field]])),
  );
}
