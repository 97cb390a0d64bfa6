import { readLiveMetrics } from '#lib/features/content/analytics/live-metrics.ts';
import { listPosts } from '#lib/features/content/list-posts.ts';
import { showPosts } from '#lib/features/content/show-posts.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { listContentPosts } from '#schemas/content.ts';

export const handler = endpoint(listContentPosts, async ({ organizationId, query, reply }) => {
  const { page, limit, cursor, includeLiveData, ...filters } = query;
  const found = await listPosts(organizationId, filters, { page, limit, cursor });

  return {
    contentPosts: await showPosts(
      found.items,
      found.accounts,
      includeLiveData ? readLiveMetrics(organizationId, found.items, reply) : undefined,
    ),
    pagination: found.pagination,
  };
});
