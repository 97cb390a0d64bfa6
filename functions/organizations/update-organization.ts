import { endpoint } from '#lib/http/endpoint.ts';
import {
  updateOrganization as applyPatch,
  presentOrganization,
} from '#lib/organizations/organizations.ts';
import { updateOrganization } from '#schemas/organizations.ts';

export const handler = endpoint(
  updateOrganization,
  async ({ organizationId, role, caller, body }) => ({
    organization: presentOrganization(await applyPatch(organizationId, caller.userId, body), role),
    message: 'Organization updated successfully',
  }),
);
