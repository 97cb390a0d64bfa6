import { sessionInvalid } from '#lib/platform/errors/failures.ts';
import { readAuthCookie } from '#lib/platform/http/cookies.ts';
import { rejectCrossSite } from '#lib/platform/http/cross-site.ts';
import { wantedOrganizationId, worksInCurrent } from '#lib/platform/http/path-ids.ts';
import type { HttpEvent, HttpRequest, Middleware } from '#lib/platform/http/request.ts';
import { verifyAccessToken } from '#lib/platform/identity/access-token.ts';
import { isApiKey, loadKeyIdentity } from '#lib/platform/identity/api-key.ts';
import {
  type Identity,
  loadIdentity,
  loadIdentityAnywhere,
} from '#lib/platform/identity/identity.ts';
import type { Contract } from '#schemas/contract.ts';

function bearerToken(event: HttpEvent): string | undefined {
  const { authorization } = event.headers;

  return authorization === undefined
    ? undefined
    : (/^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '');
}

/**
 * Verifies the token's signature and starts loading session and membership, or the API key.
 * `authorize` checks that they exist; the middleware in between does not wait for them.
 */
export function authenticate(contract: Contract): Middleware {
  if (contract.access.kind === 'public') {
    return { before: () => undefined };
  }

  return {
    before: async ({ event }: HttpRequest): Promise<void> => {
      const bearer = bearerToken(event);
      const token = bearer ?? readAuthCookie(event);
      if (token === undefined) {
        throw sessionInvalid('Authentication required');
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
  };
}

function startLoading(event: HttpEvent, identity: Promise<Identity>): void {
  identity.catch(() => undefined);
  event.state.identity = identity;
}
