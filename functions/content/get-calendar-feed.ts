import { readFeed } from '#lib/features/content/calendar-feed.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getCalendarFeed } from '#schemas/content.ts';

export const handler = endpoint(getCalendarFeed, async ({ params, query }) => ({
  statusCode: 200,
  headers: { 'content-type': getCalendarFeed.contentType },
  body: await readFeed(params.organization_id, query.token),
}));
