import { endpoint } from '#lib/http/endpoint.ts';
import { findMembership } from '#lib/identity/identity.ts';
import { removeMember } from '#lib/organizations/members.ts';
import * as contracts from '#schemas/organizations.ts';

export const handler = endpoint(
  contracts.removeMember,
  async ({ organizationId, role, caller, params }) => {
    await removeMember(organizationId, { userId: caller.userId, role }, params.user_id);

    return { message: 'Member removed successfully' };
  },
  { ahead: ({ organizationId, params }) => findMembership(organizationId, params.user_id) },
);
