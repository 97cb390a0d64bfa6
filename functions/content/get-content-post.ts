import { readLiveMetrics } from '#lib/features/content/analytics/live-metrics.ts';
import { showPost } from '#lib/features/content/listing/show-posts.ts';
import { requirePost } from '#lib/features/content/posts/post.ts';
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
);
