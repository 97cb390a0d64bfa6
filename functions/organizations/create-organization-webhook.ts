import { createWebhook } from '#lib/features/organizations/webhooks/webhooks.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { publicUrlProblems } from '#lib/platform/outbound/public-url.ts';
import { createOrganizationWebhook } from '#schemas/organization-webhooks.ts';

export const handler = endpoint(
  createOrganizationWebhook,
  async ({ organizationId, role, caller, body, idempotently }) => {
    const actor = { userId: caller.userId, role };
    const { webhook, secret } = await idempotently((extraWrites) =>
      createWebhook(organizationId, actor, body, extraWrites),
    );

    return { webhook: { ...webhook, webhookSecret: secret } };
  },
  { rules: ({ body }) => publicUrlProblems('url', body.url) },
);
