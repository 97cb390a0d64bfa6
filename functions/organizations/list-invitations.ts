import { listInvitations, presentInvitation } from '#lib/features/organizations/invitations.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/organizations.ts';

export const handler = endpoint(contracts.listInvitations, async ({ organizationId }) => {
  const invitations = await listInvitations(organizationId);

  return {
    invitations: invitations.map(presentInvitation),
    total: invitations.length,
  };
});
