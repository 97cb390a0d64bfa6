import { endpoint } from '#lib/http/endpoint.ts';
import { presentOrganization, requireOrganization } from '#lib/organizations/organizations.ts';
import { getOrganization } from '#schemas/organizations.ts';

export const handler = endpoint(
  getOrganization,
  async ({ organizationId, role }) => ({
    organization: presentOrganization(await requireOrganization(organizationId), role),
    message: 'Organization retrieved successfully',
  }),
  { ahead: ({ organizationId }) => requireOrganization(organizationId) },
);
