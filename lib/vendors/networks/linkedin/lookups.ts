import { now } from '#lib/platform/clock.ts';
import { readAnswer } from '#lib/vendors/networks/call-network.ts';
import type { LookupsApi, NormalisedEvent } from '#lib/vendors/networks/network.ts';
import * as z from '#schemas/zod.ts';
import { call, organizationUrn, platform, restli, restliList } from './call.ts';
import { notifications, toEvents } from './events.ts';

const pageSize = 100;
/** Limits the calls of one fetch. The next fetch continues where it ended. */
const maxPages = 10;
const notificationPage = z.object({ elements: notifications });

/** Fetches the same notifications that LinkedIn pushes, in case a delivery was lost. */
export const fetchComments: LookupsApi['fetchComments'] = async (
  credentials,
  since,
  beforeCall,
) => {
  const events: NormalisedEvent[] = [];
  for (let page = 0; page < maxPages; page += 1) {
    await beforeCall?.();
    const answer = await call(credentials, {
      path: '/rest/organizationalEntityNotifications',
      query: {
        q: 'criteria',
        actions: restliList(['COMMENT', 'ADMIN_COMMENT', 'SHARE_MENTION']),
        organizationalEntity: restli(organizationUrn(credentials.platformUserId)),
        // Unverified: the format of the range. See docs/operations.md.
        timeRange: `(start:${Date.parse(since)},end:${now()})`,
        start: page * pageSize,
        count: pageSize,
      },
    });
    const { elements } = readAnswer(platform, notificationPage, answer);
    events.push(...elements.flatMap(toEvents));
    if (elements.length < pageSize) {
      break;
    }
  }

  return events
    .filter(({ occurredAt }) => Date.parse(occurredAt) >= Date.parse(since))
    .sort((one, other) => one.occurredAt.localeCompare(other.occurredAt));
};
