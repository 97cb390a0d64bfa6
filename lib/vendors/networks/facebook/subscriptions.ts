import { pathOf } from '#lib/vendors/networks/meta/graph-call.ts';
import type { Credentials } from '#lib/vendors/networks/network.ts';
import { call } from './call.ts';

const subscribedFields =
  'feed,messages,message_edits,messaging_postbacks,message_echoes,mention,leadgen';

/** Subscribes the page. The operator sets the callback URL once for the app. */
export async function subscribe(credentials: Credentials): Promise<void> {
  await call(credentials, {
    method: 'POST',
    path: pathOf(credentials.platformUserId, 'subscribed_apps'),
    form: { subscribed_fields: subscribedFields },
    isHarmless: true,
  });
}

export async function unsubscribe(credentials: Credentials): Promise<void> {
  await call(credentials, {
    method: 'DELETE',
    path: pathOf(credentials.platformUserId, 'subscribed_apps'),
    isHarmless: true,
  });
}
