import { notFound } from '#lib/errors/failures.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { keepCurrentOrganization } from '#lib/identity/current-organization.ts';
import { findMembership } from '#lib/identity/identity.ts';
import { findOrganization } from '#lib/organizations/organizations.ts';
import { switchOrganization } from '#schemas/auth.ts';

export const handler = endpoint(
  switchOrganization,
  async ({ caller, body }) => {
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
      message: 'Organization switched successfully',
    };
  },
  {
    ahead: ({ userId, body }) =>
      Promise.all([
        findMembership(body.organizationId, userId),
        findOrganization(body.organizationId),
      ]),
  },
);
