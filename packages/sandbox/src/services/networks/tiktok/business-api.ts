import { createHash, randomUUID } from 'node:crypto';
import type * as z from 'zod';
import { jsonAnswer } from '../../../frame/http.ts';
import type { SandboxAnswer } from '../../../frame/service.ts';
import { type NetworkCall, NetworkRejectionError } from '../network-definition.ts';
import type { NetworkWorld } from '../network-world.ts';
import { perWorld } from '../per-world.ts';
import { createTokenStore, type Grant } from '../token-store.ts';
import { bodyOf } from './api.ts';

/** All scopes that the service's Business app may use. */
export const businessScopes = [
  'user.info.basic',
  'video.list',
  'comment.list',
  'comment.list.manage',
  'message.list.read',
  'message.list.send',
] as const;

/** Tokens of the Business app. The public API's tokens are in the world itself. */
export const businessTokens = perWorld((world) =>
  createTokenStore(
    {
      prefix: 'biz.',
      accessSeconds: 86_400,
      refreshSeconds: 31_536_000,
      isRotating: true,
      scopes: businessScopes,
    },
    world.clock,
  ),
);

/** Returns the account's id in the Business app. The other app has a different id for it. */
export function businessIdOf(userId: string): string {
  const hash = createHash('sha256').update(`business app\n${userId}`).digest('base64url');

  return `_000${hash.slice(0, 32)}`;
}

/** Returns the Business app of the service, or a default one if the secret has none. */
export function businessAppOf({ app }: NetworkWorld) {
  return (
    app.business ?? {
      clientId: 'sandbox-tiktok-business-app',
      clientSecret: 'sandbox-tiktok-business-secret',
      webhookSecret: undefined,
    }
  );
}

export function businessPath(name: string): RegExp {
  return new RegExp(`^/open_api/v1\\.3/${name}/$`);
}

export function businessAnswer(data: object): SandboxAnswer {
  return jsonAnswer(200, { code: 0, message: 'OK', request_id: randomUUID(), data });
}

/** Throws an error of the Business API, which has status 200. */
export function rejectBusiness(code: number, text: string): never {
  throw new NetworkRejectionError(
    jsonAnswer(200, { code, message: text, request_id: randomUUID(), data: {} }),
  );
}

/** Returns the grant of a token of the Business app. Rejects those of the public API. */
export function requireBusinessGrant(world: NetworkWorld, token: string): Grant {
  const { state, grant } = businessTokens(world).check(token);

  if (state !== 'valid' || grant === undefined) {
    return rejectBusiness(40_105, 'Access token is incorrect or has been revoked.');
  }

  return grant;
}

/**
 * Requires a token of the account that the request names. Returns the account's id in this sandbox.
 */
export function requireBusiness(
  { world, request }: NetworkCall,
  businessId: string,
  scope?: (typeof businessScopes)[number],
): string {
  const { userId, scopes } = requireBusinessGrant(world, request.headers['access-token'] ?? '');

  if (businessIdOf(userId) !== businessId) {
    rejectBusiness(40_001, `No permission to operate business account ${businessId}.`);
  }

  if (scope !== undefined && !scopes.includes(scope)) {
    rejectBusiness(40_001, `No permission: the token lacks ${scope}.`);
  }

  return userId;
}

/** Requires the credentials of the Business app. */
export function requireBusinessApp(world: NetworkWorld, id: string, secret: string): void {
  const { clientId, clientSecret } = businessAppOf(world);

  if (id !== clientId || secret !== clientSecret) {
    rejectBusiness(40_101, 'The app id or the secret is incorrect.');
  }
}

export function parseBusiness<T>(schema: z.ZodType<T>, { request }: NetworkCall): T {
  const { data, error } = schema.safeParse(bodyOf(request));

  return (
    data ?? rejectBusiness(40_002, `${error?.issues[0]?.path.join('.') || 'body'}: invalid value`)
  );
}
