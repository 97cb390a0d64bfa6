import { endpoint } from '#lib/http/endpoint.ts';
import { deleteOrganization as endOrganization } from '#lib/organizations/deletion.ts';
import { deleteOrganization } from '#schemas/organizations.ts';

/** Access ends immediately. A worker deletes the data in the background. */
export const handler = endpoint(deleteOrganization, async ({ organizationId, caller }) => {
  await endOrganization(organizationId, caller.userId);

  return { message: 'Organization deleted successfully' };
});
