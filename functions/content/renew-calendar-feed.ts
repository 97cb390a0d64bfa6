import { renewFeed } from '#lib/features/content/calendar-feed.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { renewCalendarFeed } from '#schemas/content.ts';

/** The address is shown this once: of its token the hash alone is kept. */
export const handler = endpoint(renewCalendarFeed, async ({ organizationId, once }) => ({
  calendar: await once((alongside) => renewFeed(organizationId, alongside)),
  message: 'Calendar feed renewed successfully',
}));
