import { config } from '#lib/platform/config.ts';
import { callNetwork } from '#lib/vendors/networks/call-network.ts';
import type { Credentials, SubscriptionsApi } from '#lib/vendors/networks/network.ts';
import { networkApp } from '#lib/vendors/networks/network-app.ts';
import { platform } from './call.ts';

export const topicBase = 'https://www.youtube.com/feeds/videos.xml?channel_id=';
/**
 * The hub's maximum, 10 days. Subscribing again renews the lease.
 *
 * Unverified: the maximum. See docs/operations.md.
 */
const leaseSeconds = 864_000;

/**
 * Subscribes to the channel's new and changed videos. The hub later confirms the subscription with
 * a challenge.
 */
export const subscribe: SubscriptionsApi['subscribe'] = (credentials, callbackUrl) =>
  callHub('subscribe', credentials, callbackUrl);

/**
 * Unsubscribes. If the hub gets no answer to its challenge, the subscription lasts until its lease
 * expires.
 */
export const unsubscribe: SubscriptionsApi['unsubscribe'] = (credentials) =>
  callHub('unsubscribe', credentials, `${config.publicBaseUrl}/webhooks/youtube`);

async function callHub(
  mode: 'subscribe' | 'unsubscribe',
  { platformUserId }: Credentials,
  callbackUrl: string,
): Promise<void> {
  const [{ verifyToken }, secret] = await Promise.all([networkApp(platform), hubSecret()]);
  await callNetwork({
    platform: platform,
    method: 'POST',
    url: `${config.networks.youtube.hubBase}/subscribe`,
    form: {
      'hub.mode': mode,
      'hub.topic': `${topicBase}${platformUserId}`,
      'hub.callback': callbackUrl,
      'hub.verify': 'async',
      'hub.verify_token': verifyToken,
      'hub.secret': secret,
      'hub.lease_seconds': leaseSeconds,
    },
    // Idempotent.
    isHarmless: true,
  });
}

/** The hub receives this secret with each subscription and signs deliveries with it. */
export async function hubSecret(): Promise<string> {
  const { clientSecret, webhookSecret } = await networkApp(platform);

  return webhookSecret ?? clientSecret;
}
