import { notFound } from '#lib/errors/failures.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { keepCurrentOrganization } from '#lib/identity/current-organization.ts';
import { findMembership } from '#lib/identity/identity.ts';
import { requireOrganization } from '#lib/organizations/organizations.ts';
import { switchOrganization } from '#schemas/auth.ts';

export const handler = endpoint(switchOrganization, async ({ caller, body }) => {
  const membership = await findMembership(body.organizationId, caller.userId);
  if (!membership) {
    throw notFound('Organization');
  }
  const { organizationId, name } = await requireOrganization(body.organizationId);
  await keepCurrentOrganization(caller.session, organizationId);

  return {
    currentOrganization: { id: organizationId, name, role: membership.role },
    message: 'Organization switched successfully',
  };
});
