import { requireWebhook, testWebhook } from '#lib/features/organization-webhooks/webhooks.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { testOrganizationWebhook } from '#schemas/organization-webhooks.ts';

export const handler = endpoint(
  testOrganizationWebhook,
  async ({ organizationId, params, once }) => {
    const delivery = await once((alongside) =>
      testWebhook(organizationId, params.webhook_id, alongside),
    );

    return { delivery };
  },
  { ahead: ({ organizationId, params }) => requireWebhook(organizationId, params.webhook_id) },
);
