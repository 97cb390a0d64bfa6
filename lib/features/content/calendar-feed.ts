import { timingSafeEqual } from 'node:crypto';
import ical, { ICalCalendarMethod } from 'ical-generator';
import { type ContentPost, postDateOf } from '#lib/features/content/posts/post.ts';
import type { PostDate } from '#lib/features/content/posts/post-writes.ts';
import { timezoneOf } from '#lib/features/organizations/organizations.ts';
import { cutToLength, firstCharacters } from '#lib/platform/characters.ts';
import { dayMs, minuteMs, timestamp } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { hashToken, newOneTimeToken } from '#lib/platform/crypto/one-time-token.ts';
import { keys, ranges } from '#lib/platform/db/keys.ts';
import { get, getMany, query } from '#lib/platform/db/read.ts';
import { type Alongside, put, write } from '#lib/platform/db/write.ts';
import { notFound } from '#lib/platform/errors/failures.ts';

type CalendarFeed = { readonly tokenHash: string };

const pastDays = 30;
const futureDays = 366;
const maxEvents = 1_000;
const eventMs = 15 * minuteMs;
const titleCharacters = 60;
/** Keeps the feed within the maximum response size of a function. */
const maxDescription = 1_500;

export type FeedAddress = { readonly url: string };

/** Creates a new feed URL and invalidates the previous one. */
export async function renewFeed(
  organizationId: string,
  alongside: Alongside<FeedAddress>,
): Promise<FeedAddress> {
  const token = newOneTimeToken();
  const feed: CalendarFeed = { tokenHash: hashToken(token) };
  const path = `/content/${organizationId}/calendar.ics`;
  const address = { url: `${config.publicBaseUrl}${path}?token=${token}` };
  await write(...(await alongside(address)), put(keys.calendarFeed(organizationId), feed));

  return address;
}

/**
 * Returns the schedule as an iCalendar feed (RFC 5545).
 *
 * @throws 404 for a wrong token, or if the organization has no feed.
 */
export async function readFeed(organizationId: string, token: string): Promise<string> {
  const feed = await get<CalendarFeed>(keys.calendarFeed(organizationId));
  if (!feed || !isSame(feed.tokenHash, hashToken(token))) {
    throw notFound('Calendar feed');
  }
  const [rows, timezone] = await Promise.all([
    query<PostDate>(
      ranges.postDates(organizationId, timestamp(-pastDays * dayMs), timestamp(futureDays * dayMs)),
      { newestFirst: true, limit: maxEvents },
    ),
    timezoneOf(organizationId),
  ]);
  const posts = await getMany<ContentPost>(
    rows
      .filter(({ isDeleted }) => !isDeleted)
      .map(({ id }) => keys.contentPost(organizationId, id)),
  );
  const calendar = ical({
    name: 'Social Leads',
    method: ICalCalendarMethod.PUBLISH,
    prodId: { company: 'Social Leads', product: 'Content calendar', language: 'EN' },
  });
  // Events are in UTC. The zone is what calendar apps show them in.
  calendar.x('X-WR-TIMEZONE', timezone);
  for (const post of posts) {
    if (post?.state === 'SCHEDULED' || post?.state === 'PUBLISHED') {
      calendar.createEvent(asEvent(post));
    }
  }

  return `${calendar.toString()}\r\n`;
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

/** RFC 5545 allows no control characters in text except tabs and (escaped) line breaks. */
const controlCharacters = /(?![\t\r\n])\p{Cc}/gu;

function asEvent(post: ContentPost) {
  const { id, platform, state, url, updatedAt } = post;
  const content = post.content.replaceAll(controlCharacters, '');
  const start = new Date(postDateOf(post));
  const firstLine = content.trim().split(/\s*\n/)[0] ?? '';
  const title = firstCharacters(firstLine, titleCharacters);

  return {
    id: `${id}@social-leads`,
    start,
    end: new Date(start.getTime() + eventMs),
    stamp: new Date(updatedAt),
    summary: `${platform}${state === 'PUBLISHED' ? ' (published)' : ''}: ${title}`,
    description: cutToLength(content, maxDescription),
    ...(url ? { url } : {}),
  };
}
