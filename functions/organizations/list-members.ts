import { endpoint } from '#lib/http/endpoint.ts';
import { listMembers as readMembers } from '#lib/organizations/members.ts';
import { listMembers } from '#schemas/organizations.ts';

export const handler = endpoint(listMembers, async ({ organizationId }) => {
  const members = await readMembers(organizationId);

  return { members, total: members.length, message: 'Members retrieved successfully' };
});
