import { deleteWebhook } from '#lib/features/organizations/webhooks/webhooks.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { deleteOrganizationWebhook } from '#schemas/organization-webhooks.ts';

export const handler = endpoint(
  deleteOrganizationWebhook,
  async ({ organizationId, caller, params }) => {
    await deleteWebhook(organizationId, caller.userId, params.webhook_id);
  },
);
