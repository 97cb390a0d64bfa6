import {
  presentOrganization,
  requireOrganization,
} from '#lib/features/organizations/organizations.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getOrganization } from '#schemas/organizations.ts';

export const handler = endpoint(getOrganization, async ({ organizationId, role }) => ({
  organization: presentOrganization(await requireOrganization(organizationId), role),
}));
