import { expect } from 'vitest';
import * as content from '#schemas/content.ts';
import { call } from '#tests/support/api.ts';
import { contentWorld } from './world.ts';

export type CalendarFeedWorld = Awaited<ReturnType<typeof calendarFeedWorld>>;

/** Creates an organization and reads its calendar feed. */
export async function calendarFeedWorld() {
  const world = await contentWorld();

  async function renewCalendarFeed(): Promise<URL> {
    const answer = await world.ask(content.renewCalendarFeed, { body: {} });
    expect(answer.status).toBe(200);

    return new URL(answer.body.calendar.url);
  }

  function getCalendarFeed(url: URL, organizationId = world.organizationId) {
    return call(content.getCalendarFeed, {
      params: { organization_id: organizationId },
      query: { token: url.searchParams.get('token') ?? '' },
    });
  }

  return { ...world, renewCalendarFeed, getCalendarFeed };
}
