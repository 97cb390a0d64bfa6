import { removeMember } from '#lib/features/organizations/members.ts';
import { forbidden } from '#lib/platform/errors/failures.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { findMembership } from '#lib/platform/identity/identity.ts';
import { peopleOnlyMessage } from '#schemas/contract.ts';
import * as contracts from '#schemas/organizations.ts';

export const handler = endpoint(
  contracts.removeMember,
  async ({ organizationId, role, caller, params }) => {
    if (caller.apiKey && params.user_id === caller.userId) {
      throw forbidden(peopleOnlyMessage);
    }
    await removeMember(organizationId, { userId: caller.userId, role }, params.user_id);
  },
  { ahead: ({ organizationId, params }) => findMembership(organizationId, params.user_id) },
);
