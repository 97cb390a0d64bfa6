import { networkApp } from '#lib/vendors/networks/network-app.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { platform } from './call.ts';

export const appIdMissing =
  "The LinkedIn app has no numeric appId in the secret (networks.LINKEDIN.appId): use the number from the app's page in the developer portal, not its client id";

/** True if event subscriptions accept this id. They never accept the client id. */
export function isAppId(appId: string | undefined): appId is string {
  return /^\d+$/.test(appId ?? '');
}

/**
 * Returns the numeric app id that event subscriptions require.
 *
 * @throws NetworkError `unavailable` if the secret does not contain one.
 */
export async function requireAppId(): Promise<string> {
  const { appId } = await networkApp(platform);
  if (!isAppId(appId)) {
    throw new NetworkError(platform, 'unavailable', { message: appIdMissing });
  }

  return appId;
}
