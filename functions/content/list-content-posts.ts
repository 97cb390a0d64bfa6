import { readLiveMetrics } from '#lib/features/content/analytics/live-metrics.ts';
import { listPosts } from '#lib/features/content/listing/list-posts.ts';
import { dateProblems } from '#lib/features/content/listing/post-filters.ts';
import { showPosts } from '#lib/features/content/listing/show-posts.ts';
import { namedRange, olderDateNames } from '#lib/platform/day-range.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { listContentPosts } from '#schemas/content.ts';

export const handler = endpoint(
  listContentPosts,
  async ({ organizationId, query, reply }) => {
    const { page, limit, cursor, includeLiveData, from: _, to: __, ...filters } = query;
    const range = namedRange(query, olderDateNames);
    const found = await listPosts(
      organizationId,
      { ...filters, dateFrom: range.from, dateTo: range.to },
      { page, limit, cursor },
    );

    return {
      contentPosts: await showPosts(
        found.items,
        found.accounts,
        includeLiveData ? readLiveMetrics(organizationId, found.items, reply) : undefined,
      ),
      pagination: found.pagination,
    };
  },
  { rules: ({ query }) => dateProblems(namedRange(query, olderDateNames)) },
);
