import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { sessionLifetimeSeconds } from '#lib/platform/identity/access-token.ts';
import { knownDeviceLifetimeSeconds } from '#lib/platform/identity/known-device.ts';

const cookieName = '__Host-auth_token';
const deviceCookieName = '__Host-known_device';

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

function serialize(name: string, value: string, maxAgeSeconds: number): string {
  return `${name}=${value}; Max-Age=${maxAgeSeconds}; Path=/; HttpOnly; Secure; SameSite=None; Partitioned`;
}

export function authCookie(token: string): string {
  return serialize(cookieName, token, authCookieAttributes.maxAgeSeconds);
}

export function clearedAuthCookie(): string {
  return serialize(cookieName, '', 0);
}

/** Identifies a browser that has signed in before. It grants nothing. */
export function deviceCookie(token: string): string {
  return serialize(deviceCookieName, token, knownDeviceLifetimeSeconds);
}

export function readAuthCookie(event: APIGatewayProxyEventV2): string | undefined {
  return readCookie(event, cookieName);
}

export function readDeviceCookie(event: APIGatewayProxyEventV2): string | undefined {
  return readCookie(event, deviceCookieName);
}

function readCookie(event: APIGatewayProxyEventV2, name: string): string | undefined {
  const pairs = (event.cookies ?? []).flatMap((cookie) => cookie.split(/;\s*/));
  const found = pairs.find((pair) => pair.startsWith(`${name}=`));

  return found?.slice(name.length + 1) || undefined;
}
