import { endpoint } from '#lib/http/endpoint.ts';
import { acceptInvitation as join } from '#lib/organizations/invitations.ts';
import { presentOrganization, requireOrganization } from '#lib/organizations/organizations.ts';
import { requireUser } from '#lib/users/users.ts';
import { acceptInvitation } from '#schemas/organizations.ts';

export const handler = endpoint(acceptInvitation, async ({ caller, body }) => {
  const { organizationId, role } = await join(await requireUser(caller.userId), body.token);

  return {
    organization: presentOrganization(await requireOrganization(organizationId), role),
    message: 'Invitation accepted successfully',
  };
});
