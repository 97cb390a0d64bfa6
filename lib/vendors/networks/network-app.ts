import { getSecrets, type NetworkApp } from '#lib/platform/secrets/secrets.ts';
import type { Platform } from '#schemas/platforms.ts';
import { NetworkError } from './network-error.ts';

/**
 * Returns this service's app credentials for a network.
 *
 * @throws NetworkError `unavailable` if the secret has none. This is a configuration error, not a
 * problem of the account.
 */
export async function networkApp(platform: Platform): Promise<NetworkApp> {
  const { networks } = await getSecrets();
  const app = networks[platform];
  if (!app) {
    throw new NetworkError(platform, 'unavailable', {
      message: `The secret has no ${platform} app`,
    });
  }

  return app;
}

/**
 * Awaits a call that uses the app's credentials. An error is then about the app or this service's
 * URL, never about an account.
 *
 * @throws NetworkError `unavailable` for every permanent failure.
 */
export async function asAppCall<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (failure) {
    if (!(failure instanceof NetworkError) || failure.isTransient) {
      throw failure;
    }
    const { platform, message, code } = failure;
    throw new NetworkError(platform, 'unavailable', { message, code, cause: failure });
  }
}
