import { requirePost } from '#lib/features/content/posts/post.ts';
import { connectAccount } from '#lib/features/content/publishing/connect-account.ts';
import { showPost } from '#lib/features/content/show-posts.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getContentPost } from '#schemas/content.ts';

export const handler = endpoint(
  getContentPost,
  async ({ organizationId, params, query }) => {
    const post = await requirePost(organizationId, params.post_id);
    const live = query.includeLiveData ? connectAccount : undefined;

    return { contentPost: await showPost(post, live) };
  },
  {
    ahead: async ({ organizationId, params }) =>
      showPost(await requirePost(organizationId, params.post_id)),
  },
);
