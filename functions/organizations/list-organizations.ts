import {
  presentOrganization,
  withOrganizations,
} from '#lib/features/organizations/organizations.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { membershipOfKey } from '#lib/platform/identity/api-key.ts';
import { listMembershipsOf } from '#lib/platform/identity/identity.ts';
import { listOrganizations } from '#schemas/organizations.ts';

export const handler = endpoint(listOrganizations, async ({ caller }) => {
  const memberships = caller.apiKey
    ? [membershipOfKey(caller.apiKey)]
    : await listMembershipsOf(caller.userId);
  const organizations = (await withOrganizations(memberships))
    .map(({ membership, organization }) => presentOrganization(organization, membership.role))
    .sort((one, other) => other.id.localeCompare(one.id));

  return {
    organizations,
    total: organizations.length,
  };
});
