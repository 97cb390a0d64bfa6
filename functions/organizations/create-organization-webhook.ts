import { createWebhook } from '#lib/features/organization-webhooks/webhooks.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { createOrganizationWebhook } from '#schemas/organization-webhooks.ts';

export const handler = endpoint(
  createOrganizationWebhook,
  async ({ organizationId, caller, body, once }) => {
    const { webhook, secret } = await once((alongside) =>
      createWebhook(organizationId, caller.userId, body, alongside),
    );

    return { webhook: { ...webhook, webhookSecret: secret } };
  },
);
