import { getSecrets, type NetworkApp } from '#lib/secrets/secrets.ts';
import type { Platform } from '#schemas/platforms.ts';
import { NetworkFailure } from './network-failure.ts';

/**
 * What the network gave this service as an app.
 *
 * @throws NetworkFailure `unavailable` where the secret has nothing: that is the operator's to mend,
 *   and says nothing about an account.
 */
export async function networkApp(platform: Platform): Promise<NetworkApp> {
  const { networks } = await getSecrets();
  const app = networks[platform];
  if (!app) {
    throw new NetworkFailure(platform, 'unavailable', {
      message: `The secret has no app of ${platform}`,
    });
  }

  return app;
}
