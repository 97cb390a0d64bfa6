import { getSecrets, type NetworkApp } from '#lib/platform/secrets/secrets.ts';
import type { Platform } from '#schemas/platforms.ts';
import { NetworkError } from './network-error.ts';

/**
 * What the network gave this service as an app.
 *
 * @throws NetworkError `unavailable` where the secret has nothing: that is the operator's to mend,
 *   and says nothing about an account.
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
 * Waits for a call in the app's own name. What the network refuses then is about the app or the
 * address of this service, and the operator's to mend: it never says anything about an account.
 *
 * @throws NetworkError `unavailable` for every refusal.
 */
export async function inAppsName<T>(call: Promise<T>): Promise<T> {
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
