import { removeMember } from '#lib/features/organization-lifecycle/remove-member.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { listOrganizationWebhooks } from '#lib/platform/webhooks/organization-webhooks.ts';
import * as contracts from '#schemas/organizations.ts';

/** Webhooks belong to the organization, so they are kept. The caller decides about them. */
export const handler = endpoint(
  contracts.removeMember,
  async ({ organizationId, role, caller, params }) => {
    const actor = { userId: caller.userId, role };
    await removeMember(organizationId, actor, params.user_id);
    const webhooks = await listOrganizationWebhooks(organizationId);

    return { webhooks: webhooks.filter(({ createdById }) => createdById === params.user_id) };
  },
);
