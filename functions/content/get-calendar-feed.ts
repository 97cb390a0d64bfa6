import { readFeed } from '#lib/content/calendar-feed.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { getCalendarFeed } from '#schemas/content.ts';

export const handler = endpoint(getCalendarFeed, async ({ params, query }) => ({
  statusCode: 200,
  headers: { 'content-type': getCalendarFeed.contentType },
  body: await readFeed(params.organization_id, query.token),
}));
