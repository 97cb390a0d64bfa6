import { requireWebhook } from '#lib/features/organization-webhooks/webhooks.ts';
import { webhookSource } from '#lib/platform/db/keys/webhooks.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { replayDelivery } from '#lib/platform/webhooks/deliveries.ts';
import { findDelivery } from '#lib/platform/webhooks/delivery.ts';
import { replayOrganizationWebhookDelivery } from '#schemas/organization-webhooks.ts';

export const handler = endpoint(
  replayOrganizationWebhookDelivery,
  async ({ organizationId, params, once }) => {
    const sourceId = webhookSource(params.webhook_id);
    const deliveryId = params.delivery_id;
    const delivery = await once(async (alongside) => {
      await requireWebhook(organizationId, params.webhook_id);

      return replayDelivery({ organizationId, sourceId, deliveryId }, alongside);
    });

    return { delivery };
  },
  {
    ahead: ({ organizationId, params }) =>
      Promise.all([
        requireWebhook(organizationId, params.webhook_id),
        findDelivery({
          organizationId,
          sourceId: webhookSource(params.webhook_id),
          deliveryId: params.delivery_id,
        }),
      ]),
  },
);
