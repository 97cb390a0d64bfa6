import { createGroup } from '#lib/features/content/groups/create-group.ts';
import { showGroup } from '#lib/features/content/groups/group.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { createContentGroup } from '#schemas/content-groups.ts';

export const handler = endpoint(createContentGroup, async ({ organizationId, body, intent }) => ({
  group: await showGroup(await createGroup(organizationId, intent, body)),
}));
