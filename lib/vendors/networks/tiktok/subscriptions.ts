import type { SubscriptionsApi } from '#lib/vendors/networks/network.ts';
import { asAppCall } from '#lib/vendors/networks/network-app.ts';
import * as z from '#schemas/zod.ts';
import { businessApp } from './business-tokens.ts';
import { callBusiness } from './call.ts';

/** Unverified: `COMMENT`, known only from third-party clients. See docs/operations.md. */
const subscribedEvents = ['DIRECT_MESSAGE', 'COMMENT'] as const;

/**
 * Sets the Business app's webhooks. They belong to the app, so the call is the same for every
 * account.
 */
export const subscribe: SubscriptionsApi['subscribe'] = async (_credentials, callbackUrl) => {
  const app = await businessApp();
  await asAppCall(
    Promise.all(
      subscribedEvents.map((eventType) =>
        callBusiness(undefined, {
          method: 'POST',
          path: '/business/webhook/update/',
          json: {
            app_id: app.clientId,
            secret: app.clientSecret,
            event_type: eventType,
            callback_url: callbackUrl,
          },
          isHarmless: true,
          answer: z.unknown(),
        }),
      ),
    ),
  );
};

/** Does nothing: the webhooks belong to the app and serve every other account too. */
export const unsubscribe: SubscriptionsApi['unsubscribe'] = async () => {};
