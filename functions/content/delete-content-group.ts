import { cancelGroup } from '#lib/features/content/groups/change-group.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { deleteContentGroup } from '#schemas/content-groups.ts';

export const handler = endpoint(deleteContentGroup, async ({ organizationId, params }) => ({
  canceledPostIds: await cancelGroup(organizationId, params.group_id),
}));
