import { requireWebhook } from '#lib/features/organizations/webhooks/webhooks.ts';
import { webhookSource } from '#lib/platform/db/keys/webhooks.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { replayDelivery } from '#lib/platform/webhooks/change-delivery.ts';
import { replayOrganizationWebhookDelivery } from '#schemas/organization-webhooks.ts';

export const handler = endpoint(
  replayOrganizationWebhookDelivery,
  async ({ organizationId, params, idempotently }) => {
    const sourceId = webhookSource(params.webhook_id);
    const deliveryId = params.delivery_id;
    const delivery = await idempotently(async (extraWrites) => {
      await requireWebhook(organizationId, params.webhook_id);

      return replayDelivery({ organizationId, sourceId, deliveryId }, extraWrites);
    });

    return { delivery };
  },
);
