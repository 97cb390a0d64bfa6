import { endpoint } from '#lib/http/endpoint.ts';
import { findInvitation, revokeInvitation as takeBack } from '#lib/organizations/invitations.ts';
import { revokeInvitation } from '#schemas/organizations.ts';

export const handler = endpoint(
  revokeInvitation,
  async ({ organizationId, caller, params }) => {
    await takeBack(organizationId, caller.userId, params.invitation_id);

    return { message: 'Invitation revoked successfully' };
  },
  { ahead: ({ organizationId, params }) => findInvitation(organizationId, params.invitation_id) },
);
