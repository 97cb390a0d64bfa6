import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { sessionLifetimeSeconds } from '#lib/platform/identity/access-token.ts';

const cookieName = '__Host-auth_token';

/**
 * The attributes of the auth cookie. `SameSite=None` with `Partitioned` (CHIPS) is what works in a
 * frame on somebody else's page; the `__Host-` prefix binds it to this host.
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

/** Makes the browser forget the auth cookie. */
export function clearedAuthCookie(): string {
  return serialize('', 0);
}

/** The token that the auth cookie carries. */
export function readAuthCookie(event: APIGatewayProxyEventV2): string | undefined {
  const pairs = (event.cookies ?? []).flatMap((cookie) => cookie.split(/;\s*/));
  const found = pairs.find((pair) => pair.startsWith(`${cookieName}=`));

  return found?.slice(cookieName.length + 1) || undefined;
}
