import { rotateSecret } from '#lib/features/organizations/webhooks/webhooks.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { rotateOrganizationWebhookSecret } from '#schemas/organization-webhooks.ts';

export const handler = endpoint(
  rotateOrganizationWebhookSecret,
  async ({ organizationId, caller, params, idempotently }) => ({
    webhookSecret: await idempotently((extraWrites) =>
      rotateSecret(organizationId, caller.userId, params.webhook_id, extraWrites),
    ),
  }),
);
