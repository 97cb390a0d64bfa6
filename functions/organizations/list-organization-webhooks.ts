import { endpoint } from '#lib/platform/http/endpoint.ts';
import { listOrganizationWebhooks } from '#lib/platform/webhooks/organization-webhooks.ts';
import * as contracts from '#schemas/organization-webhooks.ts';

export const handler = endpoint(contracts.listOrganizationWebhooks, async ({ organizationId }) => {
  const webhooks = await listOrganizationWebhooks(organizationId);

  return { webhooks, total: webhooks.length };
});
