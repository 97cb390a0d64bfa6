import { listMembers } from '#lib/features/organizations/list-members.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/organizations.ts';

export const handler = endpoint(contracts.listMembers, async ({ organizationId }) => {
  const members = await listMembers(organizationId);

  return { members, total: members.length };
});
