import { endpoint } from '#lib/http/endpoint.ts';
import { acceptInvitation as join, requireOwnInvitation } from '#lib/organizations/invitations.ts';
import { presentOrganization } from '#lib/organizations/organizations.ts';
import { acceptInvitation } from '#schemas/organizations.ts';

export const handler = endpoint(
  acceptInvitation,
  async ({ caller, body }) => {
    const { organization, membership } = await join(caller.userId, body.token);

    return {
      organization: presentOrganization(organization, membership.role),
      message: 'Invitation accepted successfully',
    };
  },
  { ahead: ({ userId, body }) => requireOwnInvitation(userId, body.token) },
);
