import { readLiveMetrics } from '#lib/features/content/analytics/live-metrics.ts';
import { requirePost } from '#lib/features/content/posts/post.ts';
import { showPost } from '#lib/features/content/show-posts.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getContentPost } from '#schemas/content.ts';

export const handler = endpoint(
  getContentPost,
  async ({ organizationId, params, query, reply }) => {
    const post = await requirePost(organizationId, params.post_id);

    return {
      contentPost: await showPost(
        post,
        query.includeLiveData ? readLiveMetrics(organizationId, [post], reply) : undefined,
      ),
    };
  },
  {
    ahead: async ({ organizationId, params }) =>
      showPost(await requirePost(organizationId, params.post_id)),
  },
);
