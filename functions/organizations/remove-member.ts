import { removeMember } from '#lib/features/organizations/members.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { findMembership } from '#lib/platform/identity/identity.ts';
import * as contracts from '#schemas/organizations.ts';

export const handler = endpoint(
  contracts.removeMember,
  async ({ organizationId, role, caller, params }) => {
    await removeMember(organizationId, { userId: caller.userId, role }, params.user_id);
  },
  { ahead: ({ organizationId, params }) => findMembership(organizationId, params.user_id) },
);
