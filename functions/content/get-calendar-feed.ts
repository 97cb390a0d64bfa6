import { readFeed } from '#lib/features/content/calendar/calendar-feed.ts';
import { publicEndpoint } from '#lib/platform/http/public-endpoint.ts';
import { caching, staticAnswer, staticFile } from '#lib/platform/http/static-file.ts';
import { getCalendarFeed } from '#schemas/content.ts';

export const handler = publicEndpoint(getCalendarFeed, async ({ event, params, query }) => {
  const calendar = await readFeed(params.organization_id, query.token);

  return staticAnswer(event, staticFile('calendar.ics', Buffer.from(calendar)), {
    cacheControl: caching.revalidatedInPrivate,
  });
});
