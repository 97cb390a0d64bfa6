import { changeGroup } from '#lib/features/content/groups/change-group.ts';
import { requireGroup, showGroup } from '#lib/features/content/groups/group.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { updateContentGroup } from '#schemas/content-groups.ts';

export const handler = endpoint(
  updateContentGroup,
  async ({ organizationId, params, body }) => ({
    group: await showGroup(await changeGroup(organizationId, params.group_id, body)),
  }),
  { ahead: ({ organizationId, params }) => requireGroup(organizationId, params.group_id) },
);
