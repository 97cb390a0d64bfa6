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

function serialize(value: string, maxAgeSeconds: number): string {
  return `${cookieName}=${value}; Max-Age=${maxAgeSeconds}; Path=/; HttpOnly; Secure; SameSite=None; Partitioned`;
}

export function authCookie(token: string): string {
  return serialize(token, authCookieAttributes.maxAgeSeconds);
}

export function clearedAuthCookie(): string {
  return serialize('', 0);
}

export function readAuthCookie(event: APIGatewayProxyEventV2): string | undefined {
  const pairs = (event.cookies ?? []).flatMap((cookie) => cookie.split(/;\s*/));
  const found = pairs.find((pair) => pair.startsWith(`${cookieName}=`));

  return found?.slice(cookieName.length + 1) || undefined;
}
