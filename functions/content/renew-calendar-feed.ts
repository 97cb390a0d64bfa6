import { renewFeed } from '#lib/features/content/calendar/calendar-address.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { renewCalendarFeed } from '#schemas/content.ts';

/** The URL is shown only once, because only the hash of its token is stored. */
export const handler = endpoint(renewCalendarFeed, async (request) => {
  const { organizationId, role, caller, idempotently } = request;
  const actor = { userId: caller.userId, role };

  return {
    calendar: await idempotently((extraWrites) => renewFeed(organizationId, actor, extraWrites)),
  };
});
