import { timingSafeEqual } from 'node:crypto';
import type { ContentPost } from '#lib/features/content/posts/post.ts';
import type { PostDate } from '#lib/features/content/posts/post-writes.ts';
import { findOpenOrganization } from '#lib/features/organizations/organizations.ts';
import { dayMs, timestamp } from '#lib/platform/clock.ts';
import { hashToken } from '#lib/platform/crypto/one-time-token.ts';
import { contentKeys, contentRanges } from '#lib/platform/db/keys/content.ts';
import { get, getMany, query } from '#lib/platform/db/read.ts';
import { notFound } from '#lib/platform/errors/failures.ts';
import { utc } from '#lib/platform/time-zone.ts';
import type { CalendarFeed } from './calendar-address.ts';
import { renderCalendar } from './render-calendar.ts';

const pastDays = 30;
const futureDays = 366;
const maxEvents = 1_000;

/**
 * Returns the schedule as an iCalendar feed (RFC 5545).
 *
 * @throws 404 for a wrong token, or if the organization has no feed.
 */
export async function readFeed(organizationId: string, token: string): Promise<string> {
  const [feed, organization] = await Promise.all([
    get<CalendarFeed>(contentKeys.calendarFeed(organizationId)),
    findOpenOrganization(organizationId),
  ]);
  if (!organization || !feed || !isSame(feed.tokenHash, hashToken(token))) {
    throw notFound('Calendar feed');
  }
  const rows = await query<PostDate>(
    contentRanges.postDates(
      organizationId,
      timestamp(-pastDays * dayMs),
      timestamp(futureDays * dayMs),
    ),
    { newestFirst: true, limit: maxEvents },
  );
  const posts = await getMany<ContentPost>(
    rows
      .filter(({ isDeleted }) => !isDeleted)
      .map(({ id }) => contentKeys.contentPost(organizationId, id)),
  );

  return renderCalendar(
    posts.filter((post) => post !== undefined),
    organization.timezone ?? utc,
  );
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
