import { revokeInvitation } from '#lib/features/organizations/invitations.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/organizations.ts';

export const handler = endpoint(
  contracts.revokeInvitation,
  async ({ organizationId, caller, params }) => {
    await revokeInvitation(organizationId, caller.userId, params.invitation_id);
  },
);
