import { updateWebhook } from '#lib/features/organizations/webhooks/webhooks.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { publicUrlProblems } from '#lib/platform/outbound/public-url.ts';
import { updateOrganizationWebhook } from '#schemas/organization-webhooks.ts';

export const handler = endpoint(
  updateOrganizationWebhook,
  async ({ organizationId, caller, params, body }) => ({
    webhook: await updateWebhook(organizationId, caller.userId, params.webhook_id, body),
  }),
  { rules: ({ body }) => publicUrlProblems('url', body.url) },
);
