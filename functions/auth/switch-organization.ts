import { findOrganization } from '#lib/features/organizations/organizations.ts';
import { notFound } from '#lib/platform/errors/failures.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { keepCurrentOrganization } from '#lib/platform/identity/current-organization.ts';
import { findMembership } from '#lib/platform/identity/identity.ts';
import { switchOrganization } from '#schemas/auth.ts';

export const handler = endpoint(switchOrganization, async ({ caller, body }) => {
  const { organizationId } = body;
  const [membership, organization] = await Promise.all([
    findMembership(organizationId, caller.userId),
    findOrganization(organizationId),
  ]);
  if (!membership || !organization) {
    throw notFound('Organization');
  }
  await keepCurrentOrganization(caller.session, organizationId);

  return {
    currentOrganization: { id: organizationId, name: organization.name, role: membership.role },
  };
});
