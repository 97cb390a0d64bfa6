import { requireGroup, showGroup } from '#lib/features/content/groups/group.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getContentGroup } from '#schemas/content-groups.ts';

export const handler = endpoint(getContentGroup, async ({ organizationId, params }) => ({
  group: await showGroup(await requireGroup(organizationId, params.group_id)),
}));
