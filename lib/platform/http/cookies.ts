import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { sessionLifetimeSeconds } from '#lib/platform/identity/access-token.ts';

const cookieName = '__Host-auth_token';

/**
 * Attributes of the auth cookie. `SameSite=None` with `Partitioned` (CHIPS) also works in a frame
 * on another site. The `__Host-` prefix binds the cookie to this host.
 */
export const authCookieAttributes = {
  httpOnly: true,
  secure: true,
  sameSite: 'none',
  path: '/',
  maxAgeSeconds: sessionLifetimeSeconds,
} as const;

export function serializeCookie(name: string, value: string, maxAgeSeconds: number): string {
  return `${name}=${value}; Max-Age=${maxAgeSeconds}; Path=/; HttpOnly; Secure; SameSite=None; Partitioned`;
}

export function authCookie(token: string): string {
  return serializeCookie(cookieName, token, authCookieAttributes.maxAgeSeconds);
}

export function clearedAuthCookie(): string {
  return serializeCookie(cookieName, '', 0);
}

export function readAuthCookie(event: APIGatewayProxyEventV2): string | undefined {
  return readCookie(event, cookieName);
}

export function readCookie(event: APIGatewayProxyEventV2, name: string): string | undefined {
  const pairs = (event.cookies ?? []).flatMap((cookie) => cookie.split(/;\s*/));
  const found = pairs.find((pair) => pair.startsWith(`${name}=`));

  return found?.slice(name.length + 1) || undefined;
}
