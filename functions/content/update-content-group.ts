import { changeGroup } from '#lib/features/content/groups/change-group.ts';
import { showGroup } from '#lib/features/content/groups/group.ts';
import { scheduleProblems } from '#lib/features/content/posts/post-rules.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { updateContentGroup } from '#schemas/content-groups.ts';

export const handler = endpoint(
  updateContentGroup,
  async ({ organizationId, params, body }) => ({
    group: await showGroup(await changeGroup(organizationId, params.group_id, body)),
  }),
  { timeRules: ({ body }) => scheduleProblems(body.scheduledAt) },
);
