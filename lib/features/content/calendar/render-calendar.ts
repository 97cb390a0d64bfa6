import ical, { ICalCalendarMethod } from 'ical-generator';
import { type ContentPost, postDateOf } from '#lib/features/content/posts/post.ts';
import { cutToLength, firstCharacters } from '#lib/platform/characters.ts';
import { hourMs, minuteMs, secondMs } from '#lib/platform/clock.ts';

const eventMs = 15 * minuteMs;
/** The suggested time between two requests of a client. Most clients wait longer. */
const refreshSeconds = hourMs / secondMs;
const titleCharacters = 60;
/** Keeps a feed of 1,000 posts within the maximum response size of a function, 4.5 MB without base64. */
const maxDescription = 1_000;

/** Renders posts that are scheduled or published as an iCalendar object (RFC 5545). */
export function renderCalendar(posts: readonly ContentPost[], timezone: string): string {
  const calendar = ical({
    name: 'Social Leads',
    method: ICalCalendarMethod.PUBLISH,
    prodId: { company: 'Social Leads', product: 'Content calendar', language: 'EN' },
    ttl: refreshSeconds,
    events: posts
      .filter(({ state }) => state === 'SCHEDULED' || state === 'PUBLISHED')
      .map(asEvent),
  });

  return `${withTimeZone(calendar.toString(), timezone)}\r\n`;
}

/**
 * Sets the time zone in which calendar apps show the events. The events themselves are in UTC. The
 * library writes some properties after the events, where some apps ignore them (RFC 5545, 3.6).
 */
function withTimeZone(calendar: string, timezone: string): string {
  return calendar.replace('\r\nNAME:', `\r\nX-WR-TIMEZONE:${timezone}\r\nNAME:`);
}

/** RFC 5545 allows no control characters in text, except tabs and (escaped) line breaks. */
const controlCharacters = /(?![\t\r\n])\p{Cc}/gu;

function asEvent(post: ContentPost) {
  const { id, platform, state, url, updatedAt, attempt } = post;
  const content = cutToLength(post.content.trim(), maxDescription).replaceAll(
    controlCharacters,
    '',
  );
  const start = new Date(postDateOf(post));
  const isPublished = state === 'PUBLISHED';
  const title = titleOf(content);

  return {
    id: `${id}@social-leads`,
    // Apps update an event only if this number increases. Each change and each publisher increments
    // `attempt`. A publisher then sets the time of publication.
    sequence: attempt * 2 + (isPublished ? 1 : 0),
    start,
    end: new Date(start.getTime() + eventMs),
    stamp: new Date(updatedAt),
    lastModified: new Date(updatedAt),
    summary: `${platform}${isPublished ? ' (published)' : ''}${title === '' ? '' : `: ${title}`}`,
    description: content,
    ...(url ? { url } : {}),
  };
}

/** Returns the first line, cut between words if it is too long. */
function titleOf(content: string): string {
  const [firstLine = ''] = content.split(/[\r\n]/, 1);
  const start = firstCharacters(firstLine, titleCharacters + 1);
  if ([...start].length <= titleCharacters) {
    return firstLine.trimEnd();
  }
  const cut = firstCharacters(start, titleCharacters);
  const wordEnd = start.search(/\s\S*$/u);

  return `${(wordEnd > 0 ? start.slice(0, wordEnd) : cut).trimEnd()}…`;
}
