import { requireWebhook, updateWebhook } from '#lib/features/organization-webhooks/webhooks.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { updateOrganizationWebhook } from '#schemas/organization-webhooks.ts';

export const handler = endpoint(
  updateOrganizationWebhook,
  async ({ organizationId, caller, params, body }) => {
    const webhook = await updateWebhook(organizationId, caller.userId, params.webhook_id, body);

    return { webhook };
  },
  { ahead: ({ organizationId, params }) => requireWebhook(organizationId, params.webhook_id) },
);
