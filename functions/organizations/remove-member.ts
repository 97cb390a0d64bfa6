import { endpoint } from '#lib/http/endpoint.ts';
import { findMembership } from '#lib/identity/identity.ts';
import { removeMember as takeOut } from '#lib/organizations/members.ts';
import { removeMember } from '#schemas/organizations.ts';

export const handler = endpoint(
  removeMember,
  async ({ organizationId, role, caller, params }) => {
    await takeOut(organizationId, { userId: caller.userId, role }, params.user_id);

    return { message: 'Member removed successfully' };
  },
  { ahead: ({ organizationId, params }) => findMembership(organizationId, params.user_id) },
);
