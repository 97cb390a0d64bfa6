import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import {
  type KnownDevice,
  knownDeviceLifetimeSeconds,
  signKnownDevice,
} from '#lib/platform/identity/known-device.ts';
import { authCookie, readCookie, serializeCookie } from './cookies.ts';

const deviceCookieName = '__Host-known_device';

/** Identifies a browser that has signed in before. It grants no access. */
function deviceCookie(token: string): string {
  return serializeCookie(deviceCookieName, token, knownDeviceLifetimeSeconds);
}

/** Returns the cookies that every kind of sign-in sets. */
export async function signInCookies(
  userId: string,
  token: string,
  device?: KnownDevice,
): Promise<readonly string[]> {
  return [authCookie(token), deviceCookie(await signKnownDevice(userId, device))];
}

export function readDeviceCookie(event: APIGatewayProxyEventV2): string | undefined {
  return readCookie(event, deviceCookieName);
}
