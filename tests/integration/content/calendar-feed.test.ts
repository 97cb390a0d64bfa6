import ical from 'ical.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { hourMs, timestamp } from '#lib/platform/clock.ts';
import { getCalendarFeed, renewCalendarFeed } from '#schemas/content.ts';
import { call } from '#tests/support/api.ts';
import { storedItems } from '#tests/support/table.ts';
import { type ContentWorld, contentWorld } from './world.ts';

let world: ContentWorld;

beforeAll(async () => {
  world = await contentWorld();
});

async function renew(): Promise<URL> {
  const answer = await world.ask(renewCalendarFeed, { body: {} });
  expect(answer.status).toBe(200);

  return new URL(answer.body.calendar.url);
}

function read(url: URL, organizationId = world.organizationId) {
  return call(getCalendarFeed, {
    params: { organization_id: organizationId },
    query: { token: url.searchParams.get('token') ?? '' },
  });
}

describe('the calendar feed', () => {
  it('contains scheduled and published posts, but no drafts or distant posts', async () => {
    const scheduledAt = timestamp(hourMs);
    const scheduled = await world.newPost({
      scheduledAt,
      content: 'Engines; with "quotes", commas\nand a second line',
    });
    const published = await world.newPost();
    await world.newPost({ draft: true, scheduledAt });
    await world.newPost({ scheduledAt: '2099-01-01T00:00:00Z' });
    const answer = await read(await renew());
    const calendar = new ical.Component(ical.parse(answer.body));
    const events = calendar
      .getAllSubcomponents('vevent')
      .map((component) => new ical.Event(component));

    expect(answer.headers['content-type']).toBe('text/calendar; charset=utf-8');
    expect(events.map(({ uid }) => uid).toSorted()).toEqual(
      [scheduled.id, published.id].map((id) => `${id}@social-leads`).toSorted(),
    );
    const event = events.find(({ uid }) => uid.startsWith(scheduled.id));
    expect(event?.description).toBe(scheduled.content);
    expect(event?.summary).toContain('FACEBOOK');
    expect(event?.startDate.toJSDate().getTime()).toBe(
      Math.floor(Date.parse(scheduledAt) / 1000) * 1000,
    );
  });

  it('truncates long texts so that the response fits the size limit', async () => {
    const content = `a${'🍕'.repeat(2_000)}`;
    const { id } = await world.newPost({ scheduledAt: timestamp(hourMs), content });
    const { body } = await read(await renew());
    const [event] = new ical.Component(ical.parse(body))
      .getAllSubcomponents('vevent')
      .map((component) => new ical.Event(component))
      .filter(({ uid }) => uid.startsWith(id));

    expect(event?.description).toBe(`a${'🍕'.repeat(749)}`);
  });

  it('contains only lines that RFC 5545 allows, whatever a post contains', async () => {
    const content = `Bell\u0007, tab\t, next line\u0085 and ${'é'.repeat(200)}\r\nEND:VEVENT\rX`;
    const { id } = await world.newPost({ scheduledAt: timestamp(hourMs), content });
    const { body } = await read(await renew());
    const lines: readonly string[] = body.split('\r\n');
    const [event] = new ical.Component(ical.parse(body))
      .getAllSubcomponents('vevent')
      .map((component) => new ical.Event(component))
      .filter(({ uid }) => uid.startsWith(id));

    expect(lines.at(-1)).toBe('');
    expect(lines.filter((line) => Buffer.byteLength(line) > 75)).toEqual([]);
    expect(lines.filter((line) => /(?!\t)\p{Cc}/u.test(line))).toEqual([]);
    expect(event?.description).toBe(`Bell, tab\t, next line and ${'é'.repeat(200)}\nEND:VEVENT\nX`);
  });

  it('has one URL at a time, whose token is never stored in plaintext', async () => {
    const former = await renew();
    const current = await renew();
    const token = current.searchParams.get('token') ?? '';

    expect((await read(former)).status).toBe(404);
    expect((await read(current)).status).toBe(200);
    expect(token.length).toBeGreaterThan(40);
    expect(JSON.stringify(await storedItems(`ORG#${world.organizationId}`))).not.toContain(token);
  });

  it('returns 404 for another organization and when there is no feed', async () => {
    const [stranger, url] = [await contentWorld(), await renew()];

    expect((await read(url, stranger.organizationId)).body).toEqual(
      (await read(url, crypto.randomUUID())).body,
    );
    expect((await read(url, stranger.organizationId)).status).toBe(404);
  });
});
