import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { sessionLifetimeSeconds } from '#lib/platform/identity/access-token.ts';
import {
  type KnownDevice,
  knownDeviceLifetimeSeconds,
  signKnownDevice,
} from '#lib/platform/identity/known-device.ts';

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

function authCookie(token: string): string {
  return serialize(cookieName, token, authCookieAttributes.maxAgeSeconds);
}

export function clearedAuthCookie(): string {
  return serialize(cookieName, '', 0);
}

/** Identifies a browser that has signed in before. It grants no access. */
function deviceCookie(token: string): string {
  return serialize(deviceCookieName, token, knownDeviceLifetimeSeconds);
}

/** Returns the cookies that every kind of sign-in sets. */
export async function signInCookies(
  userId: string,
  token: string,
  device?: KnownDevice,
): Promise<readonly string[]> {
  return [authCookie(token), deviceCookie(await signKnownDevice(userId, device))];
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
