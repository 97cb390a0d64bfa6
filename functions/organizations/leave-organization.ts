import { removeMember } from '#lib/features/organization-lifecycle/remove-member.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { leaveOrganization } from '#schemas/organizations.ts';

export const handler = endpoint(leaveOrganization, async ({ organizationId, role, caller }) => {
  await removeMember(organizationId, { userId: caller.userId, role }, caller.userId);
});
