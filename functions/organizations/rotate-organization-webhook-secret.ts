import { requireWebhook, rotateSecret } from '#lib/features/organization-webhooks/webhooks.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { rotateOrganizationWebhookSecret } from '#schemas/organization-webhooks.ts';

export const handler = endpoint(
  rotateOrganizationWebhookSecret,
  async ({ organizationId, caller, params, once }) => {
    const webhookSecret = await once((alongside) =>
      rotateSecret(organizationId, caller.userId, params.webhook_id, alongside),
    );

    return { webhookSecret };
  },
  { ahead: ({ organizationId, params }) => requireWebhook(organizationId, params.webhook_id) },
);
