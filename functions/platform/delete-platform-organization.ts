import { deleteOrganization } from '#lib/features/organization-lifecycle/deletion.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { deletePlatformOrganization } from '#schemas/operators.ts';

export const handler = endpoint(deletePlatformOrganization, async ({ params }) => {
  await deleteOrganization(params.organization_id, null);
});
