import { endpoint } from '#lib/http/endpoint.ts';
import { listMembers } from '#lib/organizations/members.ts';
import * as contracts from '#schemas/organizations.ts';

export const handler = endpoint(contracts.listMembers, async ({ organizationId }) => {
  const members = await listMembers(organizationId);

  return { members, total: members.length, message: 'Members retrieved successfully' };
});
