import { endpoint } from '#lib/http/endpoint.ts';
import {
  presentInvitation,
  listInvitations as readInvitations,
} from '#lib/organizations/invitations.ts';
import { listInvitations } from '#schemas/organizations.ts';

export const handler = endpoint(listInvitations, async ({ organizationId }) => {
  const invitations = await readInvitations(organizationId);

  return {
    invitations: invitations.map(presentInvitation),
    total: invitations.length,
    message: 'Invitations retrieved successfully',
  };
});
