import { presentOrganization } from '#lib/features/organizations/organizations.ts';
import { updateOrganization } from '#lib/features/organizations/update-organization.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/organizations.ts';

export const handler = endpoint(
  contracts.updateOrganization,
  async ({ organizationId, role, caller, body }) => ({
    organization: presentOrganization(
      await updateOrganization(organizationId, caller.userId, body),
      role,
    ),
  }),
);
