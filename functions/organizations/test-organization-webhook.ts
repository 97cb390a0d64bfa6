import { testWebhook } from '#lib/features/organizations/webhooks/webhooks.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { testOrganizationWebhook } from '#schemas/organization-webhooks.ts';

export const handler = endpoint(
  testOrganizationWebhook,
  async ({ organizationId, params, idempotently }) => ({
    delivery: await idempotently((extraWrites) =>
      testWebhook(organizationId, params.webhook_id, extraWrites),
    ),
  }),
);
