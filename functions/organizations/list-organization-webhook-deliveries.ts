import { requireWebhook } from '#lib/features/organizations/webhooks/webhooks.ts';
import { webhookSource } from '#lib/platform/db/keys/webhooks.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { listDeliveries } from '#lib/platform/webhooks/delivery.ts';
import { listOrganizationWebhookDeliveries } from '#schemas/organization-webhooks.ts';

export const handler = endpoint(
  listOrganizationWebhookDeliveries,
  async ({ organizationId, params, query }) => {
    const [{ items, pagination }] = await Promise.all([
      listDeliveries(organizationId, webhookSource(params.webhook_id), query),
      requireWebhook(organizationId, params.webhook_id),
    ]);

    return { deliveries: items, pagination };
  },
);
