import { endpoint } from '#lib/http/endpoint.ts';
import { deleteOrganization as endOrganization } from '#lib/organizations/deletion.ts';
import { deleteOrganization } from '#schemas/organizations.ts';

/** Nobody has access from here on; the removal goes on in the background. */
export const handler = endpoint(deleteOrganization, async ({ organizationId, caller }) => {
  await endOrganization(organizationId, caller.userId);

  return { message: 'Organization deleted successfully' };
});
