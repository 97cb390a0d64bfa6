import { presentInvitation } from '#lib/features/organizations/invitations.ts';
import { invite } from '#lib/features/organizations/invite.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { inviteMember } from '#schemas/organizations.ts';

/** The token appears only in the emailed link. */
export const handler = endpoint(inviteMember, async (request) => {
  const { organizationId, role, caller, body, reply, idempotently } = request;
  const actor = { userId: caller.userId, role };
  const invitation = await idempotently((extraWrites) =>
    invite(organizationId, actor, body, reply.rateLimits, extraWrites),
  );

  return { invitation: presentInvitation(invitation) };
});
