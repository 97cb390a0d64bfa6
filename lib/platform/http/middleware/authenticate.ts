import { ApiError, authenticationRequired } from '#lib/platform/errors/failures.ts';
import { clearedAuthCookie, readAuthCookie } from '#lib/platform/http/cookies.ts';
import { crossSiteRefused, isOtherSite, rejectCrossSite } from '#lib/platform/http/cross-site.ts';
import { wantedOrganizationId, worksInCurrent } from '#lib/platform/http/path-ids.ts';
import type { HttpEvent, HttpRequest, Middleware } from '#lib/platform/http/request.ts';
import { verifyAccessToken } from '#lib/platform/identity/access-token.ts';
import { isApiKey, loadKeyIdentity } from '#lib/platform/identity/api-key.ts';
import {
  type Identity,
  loadIdentity,
  loadIdentityAnywhere,
} from '#lib/platform/identity/identity.ts';
import { hashOperatorKey, isOperatorKey } from '#lib/platform/identity/operator-key.ts';
import { getFreshSecrets, getSecrets, type Secrets } from '#lib/platform/secrets/secrets.ts';
import { acceptsAnonymous, type Contract } from '#schemas/contract.ts';

const challenge = 'Bearer realm="Social Leads"';

function bearerToken(event: HttpEvent): string | undefined {
  const { authorization } = event.headers;

  return authorization === undefined
    ? undefined
    : (/^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '');
}

/**
 * Verifies the token's signature and starts loading the session and membership, or the API key.
 * `authorize` checks that they exist. The middleware in between does not wait for them. A request
 * without credentials has no `identity`.
 */
export function authenticate(contract: Contract): Middleware {
  if (contract.access.kind === 'public') {
    return { before: () => undefined };
  }
  const isOptional = acceptsAnonymous(contract.access);
  const { bearerOnly = false } = contract.access;

  return {
    before: async ({ event }: HttpRequest): Promise<void> => {
      if (bearerOnly && contract.access.kind !== 'operator' && isOtherSite(event)) {
        throw crossSiteRefused();
      }
      const bearer = bearerToken(event);
      const token = bearer ?? (bearerOnly ? undefined : readAuthCookie(event));
      if (token === undefined) {
        if (isOptional) {
          return;
        }
        throw authenticationRequired();
      }
      if (contract.access.kind === 'operator') {
        startLoading(event, loadOperatorIdentity(token));

        return;
      }
      if (bearer !== undefined && isApiKey(bearer)) {
        startLoading(
          event,
          loadKeyIdentity(
            bearer,
            worksInCurrent(contract, event) ? 'its own' : wantedOrganizationId(contract, event),
          ),
        );

        return;
      }
      const claims = await verifyAccessToken(token);
      if (bearer === undefined) {
        rejectCrossSite(event);
      }
      event.state.claims = claims;
      startLoading(
        event,
        worksInCurrent(contract, event)
          ? loadIdentityAnywhere(claims)
          : loadIdentity(claims, wantedOrganizationId(contract, event)),
      );
    },
    onError: ({ event, error }: HttpRequest): void => {
      const isUnauthorized = error instanceof ApiError && error.kind === 'unauthorized';
      if (isOptional && isUnauthorized) {
        forgetCookie(event);
      }
      if (bearerOnly && isUnauthorized && !hasCaller(event.state)) {
        event.state.replyHeaders['www-authenticate'] = challenge;
      }
    },
  };
}

function hasCaller({ session, apiKey, operatorKeyId }: HttpEvent['state']): boolean {
  return Boolean(session ?? apiKey ?? operatorKeyId);
}

/**
 * Removes the cookie of an ended session, so that the next request has no credentials. Scripts of a
 * page cannot remove it.
 */
function forgetCookie(event: HttpEvent): void {
  if (bearerToken(event) === undefined && readAuthCookie(event) !== undefined) {
    event.state.replyCookies.push(clearedAuthCookie());
  }
}

function startLoading(event: HttpEvent, identity: Promise<Identity>): void {
  identity.catch(() => undefined);
  event.state.identity = identity;
}

/**
 * Finds an operator's key in the secret. An unknown key reloads the secret, so that a new key needs
 * no redeploy.
 */
async function loadOperatorIdentity(token: string): Promise<Identity> {
  const known = isOperatorKey(token)
    ? (findKey(await getSecrets(), token) ?? findKey(await getFreshSecrets(), token))
    : undefined;

  return {
    session: undefined,
    membership: undefined,
    ...(known && { operatorKeyId: known.id }),
  };
}

function findKey({ operatorKeys }: Secrets, token: string) {
  const hash = hashOperatorKey(token);

  return operatorKeys.find(({ sha256 }) => sha256 === hash);
}
