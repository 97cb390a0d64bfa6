import { removeMember } from '#lib/features/organizations/members.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { findMembership } from '#lib/platform/identity/identity.ts';
import { leaveOrganization } from '#schemas/organizations.ts';

export const handler = endpoint(
  leaveOrganization,
  async ({ organizationId, role, caller }) => {
    await removeMember(organizationId, { userId: caller.userId, role }, caller.userId);
  },
  { ahead: ({ organizationId, userId }) => findMembership(organizationId, userId) },
);
