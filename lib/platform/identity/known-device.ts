import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { epochSeconds } from '#lib/platform/clock.ts';
import { newId } from '#lib/platform/ids.ts';
import { getSecrets } from '#lib/platform/secrets/secrets.ts';

/** One year. */
export const knownDeviceLifetimeSeconds = 365 * 24 * 3600;

/** A browser in which the user has signed in before. */
export type KnownDevice = {
  readonly userId: string;
  readonly deviceId: string;
  readonly signedInAtSeconds: number;
};

/** Returns the subject that the device's failed sign-ins are counted under. */
export function deviceSubject({ userId, deviceId }: KnownDevice): string {
  return `${userId} ${deviceId}`;
}

/** The id of a user, and the time at which the user's known devices were last forgotten. */
type DeviceOwner = { readonly userId: string; readonly devicesKnownSince?: string | undefined };

/** True if this user has signed in with the device, and the device has not been forgotten since. */
export function isKnownTo(
  { userId, devicesKnownSince }: DeviceOwner,
  device: KnownDevice | undefined,
): device is KnownDevice {
  const sinceMs = devicesKnownSince ? Date.parse(devicesKnownSince) : 0;

  // The cookie's time has whole seconds, and the cookie may come from the request that set the
  // time.
  return device?.userId === userId && device.signedInAtSeconds >= Math.floor(sinceMs / 1_000);
}

type Claims = Pick<KnownDevice, 'userId' | 'deviceId'> & { readonly expiresAtSeconds: number };

/**
 * The prefix prevents the signature from being valid for a session, because the same keys sign
 * sessions.
 */
function signatureOf(key: KeyObject, payload: string): Buffer {
  return createHmac('sha256', key).update(`known-device.${payload}`).digest();
}

/** Returns the cookie value for a browser that signed in. Keeps the browser's existing id. */
export async function signKnownDevice(
  userId: string,
  known: KnownDevice | undefined,
): Promise<string> {
  const [current] = (await getSecrets()).jwtKeys;
  if (!current) {
    throw new Error('The secret has no JWT key');
  }
  const claims: Claims = {
    userId,
    deviceId: known?.userId === userId ? known.deviceId : newId(),
    expiresAtSeconds: epochSeconds(knownDeviceLifetimeSeconds),
  };
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');

  return `${payload}.${signatureOf(current.secret, payload).toString('base64url')}`;
}

/**
 * Returns the device of a cookie. `undefined` if the cookie is missing, forged, truncated or
 * expired.
 */
export async function verifyKnownDevice(
  cookie: string | undefined,
): Promise<KnownDevice | undefined> {
  const [payload = '', signature = '', ...rest] = cookie?.split('.') ?? [];
  const given = Buffer.from(signature, 'base64url');
  const isOurs = (await getSecrets()).jwtKeys.some(({ secret }) => {
    const expected = signatureOf(secret, payload);

    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!isOurs || rest.length > 0) {
    return undefined;
  }
  const { userId, deviceId, expiresAtSeconds } = JSON.parse(
    Buffer.from(payload, 'base64url').toString('utf8'),
  ) as Claims;

  return expiresAtSeconds > epochSeconds()
    ? { userId, deviceId, signedInAtSeconds: expiresAtSeconds - knownDeviceLifetimeSeconds }
    : undefined;
}
