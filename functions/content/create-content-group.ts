import { groupProblems } from '#lib/features/content/groups/check-targets.ts';
import { createGroup } from '#lib/features/content/groups/create-group.ts';
import { showGroup } from '#lib/features/content/groups/group.ts';
import { scheduleProblems } from '#lib/features/content/posts/post-rules.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { createContentGroup } from '#schemas/content-groups.ts';

export const handler = endpoint(
  createContentGroup,
  async ({ organizationId, body, intent }) => ({
    group: await showGroup(await createGroup(organizationId, intent, body)),
  }),
  {
    rules: ({ body }) => groupProblems(body),
    timeRules: ({ body }) => scheduleProblems(body.scheduledAt),
  },
);
