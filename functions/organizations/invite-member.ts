import { endpoint } from '#lib/http/endpoint.ts';
import { presentInvitation } from '#lib/organizations/invitations.ts';
import { invite } from '#lib/organizations/invite.ts';
import { inviteMember } from '#schemas/organizations.ts';

/** The link in the mail is the only place where the token is. */
export const handler = endpoint(inviteMember, async ({ organizationId, role, caller, body }) => {
  const invitation = await invite(organizationId, { userId: caller.userId, role }, body);

  return {
    invitation: presentInvitation(invitation),
    message: 'Invitation sent successfully',
  };
});
