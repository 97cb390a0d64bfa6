import { readFeed } from '#lib/features/content/calendar/calendar-feed.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { caching, staticAnswer, staticFile } from '#lib/platform/http/static-file.ts';
import { getCalendarFeed } from '#schemas/content.ts';

export const handler = endpoint(getCalendarFeed, async ({ event, params, query }) => {
  const calendar = await readFeed(params.organization_id, query.token);

  return staticAnswer(event, staticFile('calendar.ics', Buffer.from(calendar)), {
    cacheControl: caching.revalidatedInPrivate,
  });
});
