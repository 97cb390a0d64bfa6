import { dayMs, now } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { getSecrets } from '#lib/platform/secrets/secrets.ts';
import { apiVersionEnd } from '#lib/vendors/networks/linkedin/api-version.ts';
import { appIdMissing, isAppId } from '#lib/vendors/networks/linkedin/app-id.ts';

/** Enough time to release a service that was tested with a newer version. */
const noticeMs = 60 * dayMs;

/** Returns a problem of LinkedIn's configuration: missing, or about to stop working. */
export async function findLinkedinWarning(): Promise<string | undefined> {
  const app = (await getSecrets()).networks.LINKEDIN;
  if (app && !isAppId(app.appId)) {
    return appIdMissing;
  }
  const { apiVersion } = config.networks.linkedin;
  const endsAt = apiVersionEnd(apiVersion);

  return endsAt.getTime() - noticeMs <= now()
    ? `LinkedIn ends API version ${apiVersion} on ${endsAt.toISOString().slice(0, 10)}: raise LINKEDIN_API_VERSION`
    : undefined;
}
