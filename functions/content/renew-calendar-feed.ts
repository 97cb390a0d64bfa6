import { renewFeed } from '#lib/features/content/calendar-feed.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { renewCalendarFeed } from '#schemas/content.ts';

/** The URL is shown only once: only the hash of its token is stored. */
export const handler = endpoint(renewCalendarFeed, async ({ organizationId, once }) => ({
  calendar: await once((alongside) => renewFeed(organizationId, alongside)),
}));
