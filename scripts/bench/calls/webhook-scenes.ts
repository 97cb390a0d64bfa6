import { keys } from '#lib/platform/db/keys.ts';
import { change, put, write } from '#lib/platform/db/write.ts';
import { listDeliveries } from '#lib/platform/webhooks/delivery.ts';
import { newWebhookEndpoint, type WebhookEndpoint } from '#lib/platform/webhooks/endpoints.ts';
import { planEvent } from '#lib/platform/webhooks/events.ts';
import * as webhooks from '#schemas/webhooks.ts';
import { callOf, type Scene } from './scene.ts';
import { addSocialAccount } from './social-scenes.ts';
import type { World } from './world.ts';

/** A URL of the sandbox that accepts events. */
function receiver(): string {
  return `${process.env.STRIPE_API_BASE ?? ''}/_sandbox/hooks/bench`;
}

/** An account with a webhook endpoint. */
async function subscribed(world: World) {
  const { token, organizationId } = await world.newAccount();
  const { id } = await addSocialAccount(world, organizationId);
  const { endpoint } = await newWebhookEndpoint(organizationId, id, receiver());
  await write(put(keys.webhookEndpoint(organizationId, id), endpoint));

  return { token, organizationId, accountId: id, endpoint };
}

async function publish(endpoint: WebhookEndpoint): Promise<string> {
  const event = planEvent(endpoint, { type: 'content.published', data: { postId: endpoint.id } });
  await write(...event);
  const { organizationId, sourceId } = endpoint;
  const { items } = await listDeliveries(organizationId, sourceId, { limit: 1 });

  return items[0]?.id ?? '';
}

export const webhookScenes: Readonly<Record<string, Scene>> = {
  'subscribe-account-webhook': callOf(webhooks.subscribeAccountWebhook, async (world) => {
    const { token, accountId } = await subscribed(world);
    const body = { webhookUrl: 'https://hooks.example.com/', events: ['messages'] };

    return { token, params: { account_id: accountId }, body };
  }),
  'list-account-deliveries': callOf(webhooks.listAccountDeliveries, async (world) => {
    const { token, accountId, endpoint } = await subscribed(world);
    await publish(endpoint);

    return { token, params: { account_id: accountId } };
  }),
  'replay-account-delivery': callOf(webhooks.replayAccountDelivery, async (world) => {
    const { token, organizationId, accountId, endpoint } = await subscribed(world);
    const deliveryId = await publish(endpoint);
    const delivery = keys.webhookDelivery(organizationId, accountId, deliveryId);
    await write(change(delivery, { set: { status: 'FAILED' } }));

    return { token, params: { account_id: accountId, delivery_id: deliveryId } };
  }),
  'outbound-webhooks': async (world) => {
    const { endpoint } = await subscribed(world);
    await world.queues.drain();
    await publish(endpoint);

    return world.queues.takeEvent('outbound-webhooks');
  },
};
