import { pathOf } from '#lib/vendors/networks/meta/graph-call.ts';
import type { SubscriptionsApi } from '#lib/vendors/networks/network.ts';
import { call } from './call.ts';

const subscribedFields =
  'feed,messages,message_edits,messaging_postbacks,message_echoes,mention,leadgen';

/** Subscribes the page. The operator sets the callback URL once for the app. */
export const subscribe: SubscriptionsApi['subscribe'] = async (credentials) => {
  await call(credentials, {
    method: 'POST',
    path: pathOf(credentials.platformUserId, 'subscribed_apps'),
    form: { subscribed_fields: subscribedFields },
    isHarmless: true,
  });
};

export const unsubscribe: SubscriptionsApi['unsubscribe'] = async (credentials) => {
  await call(credentials, {
    method: 'DELETE',
    path: pathOf(credentials.platformUserId, 'subscribed_apps'),
    isHarmless: true,
  });
};
