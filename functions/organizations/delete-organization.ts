import { deleteOrganization } from '#lib/features/organization-lifecycle/deletion.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/organizations.ts';

/** Access ends immediately. A worker deletes the data in the background. */
export const handler = endpoint(
  contracts.deleteOrganization,
  async ({ organizationId, caller }) => {
    await deleteOrganization(organizationId, caller.userId);
  },
);
