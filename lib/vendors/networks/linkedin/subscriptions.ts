import type { Credentials, SubscriptionsApi } from '#lib/vendors/networks/network.ts';
import { ifFound, NetworkError } from '#lib/vendors/networks/network-error.ts';
import { requireAppId } from './app-id.ts';
import { call, organizationUrn, platform, restli } from './call.ts';
import { listOrganizations } from './organizations.ts';

const eventType = 'ORGANIZATION_SOCIAL_ACTION_NOTIFICATIONS';

export const subscribe: SubscriptionsApi['subscribe'] = async (credentials, callbackUrl) => {
  await call(credentials, {
    method: 'PUT',
    path: await subscriptionPath(credentials),
    json: { webhook: callbackUrl },
    isHarmless: true,
  });
};

/** Idempotent: a missing subscription is not an error. */
export const unsubscribe: SubscriptionsApi['unsubscribe'] = async (credentials) => {
  const path = await subscriptionPath(credentials);
  await ifFound(call(credentials, { method: 'DELETE', path, isHarmless: true }));
};

/** A subscription belongs to an app, a member and an organization. */
async function subscriptionPath(credentials: Credentials): Promise<string> {
  const appId = await requireAppId();
  const organizations = await listOrganizations(credentials);
  const own = organizations.find(({ id }) => id === credentials.platformUserId);
  if (!own?.administrator) {
    throw new NetworkError(platform, 'scopeMissing', {
      message: 'The member does not administer the organization',
    });
  }
  const parts = {
    developerApplication: `urn:li:developerApplication:${appId}`,
    user: own.administrator,
    entity: organizationUrn(credentials.platformUserId),
    eventType,
  };
  const key = Object.entries(parts).map(([name, value]) => `${name}:${restli(value)}`);

  return `/rest/eventSubscriptions/(${key.join(',')})`;
}
