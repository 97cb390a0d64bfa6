import { changePost } from '#lib/features/content/change-post.ts';
import { showPost } from '#lib/features/content/listing/show-posts.ts';
import { scheduleProblems } from '#lib/features/content/posts/post-rules.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { updateContentPost } from '#schemas/content.ts';

export const handler = endpoint(
  updateContentPost,
  async ({ organizationId, params, body }) => {
    const post = await changePost(organizationId, params.post_id, body);

    return { contentPost: await showPost(post) };
  },
  { timeRules: ({ body }) => scheduleProblems(body.scheduledAt) },
);
