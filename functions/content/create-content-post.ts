import { createPost } from '#lib/features/content/create-post.ts';
import { textAndSettingsProblems } from '#lib/features/content/new-post.ts';
import { presentPost } from '#lib/features/content/posts/post.ts';
import { scheduleProblems } from '#lib/features/content/posts/post-rules.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { createContentPost } from '#schemas/content.ts';

/** Creates a draft or a scheduled post, or publishes the post before responding. */
export const handler = endpoint(
  createContentPost,
  async ({ organizationId, body, intent }) => {
    const { post, account } = await createPost(organizationId, intent, body);

    return { contentPost: presentPost(post, account) };
  },
  {
    rules: ({ body }) => textAndSettingsProblems(body),
    timeRules: ({ body }) => scheduleProblems(body.scheduledAt),
  },
);
