import { endpoint } from '#lib/http/endpoint.ts';
import { findMembership } from '#lib/identity/identity.ts';
import { removeMember } from '#lib/organizations/members.ts';
import { leaveOrganization } from '#schemas/organizations.ts';

export const handler = endpoint(
  leaveOrganization,
  async ({ organizationId, role, caller }) => {
    await removeMember(organizationId, { userId: caller.userId, role }, caller.userId);

    return { message: 'You have left the organization' };
  },
  { ahead: ({ organizationId, userId }) => findMembership(organizationId, userId) },
);
