import type { NetworkApp } from '#lib/platform/secrets/secrets.ts';
import { networkApp } from '#lib/vendors/networks/network-app.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { platform } from './call.ts';

/**
 * Returns this service's app for the Business API.
 *
 * @throws NetworkError `unavailable` if the secret has none.
 */
export async function businessApp(): Promise<NonNullable<NetworkApp['business']>> {
  const { business } = await networkApp(platform);
  if (!business) {
    throw new NetworkError(platform, 'unavailable', {
      message: 'The secret has no app for the TikTok Business API (networks.TIKTOK.business)',
    });
  }

  return business;
}
