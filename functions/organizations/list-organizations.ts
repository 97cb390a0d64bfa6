import { endpoint } from '#lib/http/endpoint.ts';
import { listMembershipsOf } from '#lib/identity/identity.ts';
import { presentOrganization, withOrganizations } from '#lib/organizations/organizations.ts';
import { listOrganizations } from '#schemas/organizations.ts';

export const handler = endpoint(listOrganizations, async ({ caller }) => {
  const memberships = await listMembershipsOf(caller.userId);
  const organizations = (await withOrganizations(memberships))
    .map(({ membership, organization }) => presentOrganization(organization, membership.role))
    .sort((one, other) => other.id.localeCompare(one.id));

  return {
    organizations,
    total: organizations.length,
    message: 'Organizations retrieved successfully',
  };
});
