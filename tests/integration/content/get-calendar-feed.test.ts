import ical from 'ical.js';
import { describe, expect, it } from 'vitest';
import { newPost } from '#lib/features/content/new-post.ts';
import { planPost } from '#lib/features/content/posts/post-writes.ts';
import { hourMs, timestamp } from '#lib/platform/clock.ts';
import { write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { updateContentPost } from '#schemas/content.ts';
import { deleteOrganization, updateOrganization } from '#schemas/organizations.ts';
import { connectedAccount } from '#scripts/fixtures/social-accounts.ts';
import { calendarFeedSetup, contentSetup } from './setup.ts';

const world = await calendarFeedSetup();

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
    const answer = await world.getCalendarFeed(await world.renewCalendarFeed());
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

  it('contains the posts of a group once per account, with stable ids', async () => {
    const own = await calendarFeedSetup();
    const scheduledAt = timestamp(hourMs);
    const accounts = [
      own.account,
      await connectedAccount(own.organizationId),
      await connectedAccount(own.organizationId, { platform: 'TWITTER' }),
    ];
    const groupId = newId();
    const posts = accounts.map(({ id: socialAccountId, platform }) => ({
      ...newPost(own.organizationId, newId(), {
        socialAccountId,
        platform,
        content: `New engines on ${platform}`,
        scheduledAt,
      }),
      groupId,
    }));
    await Promise.all(posts.map((post) => write(...planPost(post))));
    const url = await own.renewCalendarFeed();
    const eventsOf = async () => {
      const { body } = await own.getCalendarFeed(url);

      return new ical.Component(ical.parse(body))
        .getAllSubcomponents('vevent')
        .map((component) => new ical.Event(component))
        .map(({ uid, summary }) => [uid, summary])
        .toSorted();
    };
    const expected = posts
      .map(({ id, platform }) => [`${id}@social-leads`, `${platform}: New engines on ${platform}`])
      .toSorted();
    expect(await eventsOf()).toEqual(expected);
    await own.ask(updateContentPost, {
      params: { post_id: posts[0]?.id ?? '' },
      body: { scheduledAt: timestamp(2 * hourMs) },
    });

    expect(await eventsOf()).toEqual(expected);
  });

  it("contains the organization's time zone", async () => {
    await world.ask(updateOrganization, { body: { timezone: 'Asia/Tokyo' } });
    const { body } = await world.getCalendarFeed(await world.renewCalendarFeed());

    const [header = ''] = body.split('BEGIN:VEVENT');
    expect(header).toContain('\r\nX-WR-TIMEZONE:Asia/Tokyo\r\n');
    expect(header).toContain('\r\nREFRESH-INTERVAL;VALUE=DURATION:PT1H\r\n');
  });

  it('has a higher sequence after each change of a post', async () => {
    const { id } = await world.newPost({ scheduledAt: timestamp(hourMs), content: 'One' });
    const url = await world.renewCalendarFeed();
    const events = [await world.eventOf(id, url)];
    for (const body of [
      { scheduledAt: timestamp(2 * hourMs) },
      { scheduledAt: timestamp(3 * hourMs) },
      { content: 'Two' },
    ]) {
      await world.ask(updateContentPost, { params: { post_id: id }, body });
      events.push(await world.eventOf(id, url));
    }
    const sequences = events.map((event) => event?.sequence ?? -1);
    const { body } = await world.getCalendarFeed(url);

    expect(sequences[0]).toBe(0);
    expect(sequences).toEqual([...new Set(sequences)].toSorted((one, other) => one - other));
    expect(body).toMatch(/\r\nLAST-MODIFIED:\d{8}T\d{6}Z\r\n/);
  });

  it('returns 304 until a post changes', async () => {
    const own = await calendarFeedSetup();
    const { id } = await own.newPost({ scheduledAt: timestamp(hourMs) });
    const url = await own.renewCalendarFeed();
    const { headers } = await own.getCalendarFeed(url);
    const again = () =>
      own.getCalendarFeed(url, own.organizationId, { 'if-none-match': headers.etag ?? '' });

    expect(headers['cache-control']).toBe('private, no-cache');
    expect((await again()).status).toBe(304);
    await own.ask(updateContentPost, { params: { post_id: id }, body: { content: 'New' } });
    expect((await again()).status).toBe(200);
  });

  it.each([
    ['a title', 'A title  \nMore', 'A title'],
    ['60 characters', 'x'.repeat(60), 'x'.repeat(60)],
    ['a word too long', 'x'.repeat(61), `${'x'.repeat(60)}…`],
    ['many words', `${'word '.repeat(11)}words and more`, `${'word '.repeat(11)}words…`],
  ])('shows the first line of a post, cut between words: %s', async (_, content, title) => {
    const { id } = await world.newPost({ scheduledAt: timestamp(hourMs), content });
    const event = await world.eventOf(id, await world.renewCalendarFeed());

    expect(event?.summary).toBe(`FACEBOOK: ${title}`);
  });

  it('truncates long texts so that the response fits the size limit', async () => {
    const content = `a${'🍕'.repeat(2_000)}`;
    const { id } = await world.newPost({ scheduledAt: timestamp(hourMs), content });
    const event = await world.eventOf(id, await world.renewCalendarFeed());

    expect(event?.description).toBe(`a${'🍕'.repeat(499)}`);
  });

  it('contains only lines that RFC 5545 allows, whatever a post contains', async () => {
    const content = `Bell\u0007, tab\t, next line\u0085 and ${'é'.repeat(200)}\r\nEND:VEVENT\rX`;
    const { id } = await world.newPost({ scheduledAt: timestamp(hourMs), content });
    const { body } = await world.getCalendarFeed(await world.renewCalendarFeed());
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

  it('returns 404 as soon as the organization is deleted', async () => {
    const deleted = await calendarFeedSetup();
    const url = await deleted.renewCalendarFeed();
    expect((await deleted.ask(deleteOrganization)).status).toBe(200);

    expect((await deleted.getCalendarFeed(url)).status).toBe(404);
  });

  it('returns 404 for another organization and when there is no feed', async () => {
    const [stranger, url] = [await contentSetup(), await world.renewCalendarFeed()];

    expect((await world.getCalendarFeed(url, stranger.organizationId)).body).toEqual(
      (await world.getCalendarFeed(url, crypto.randomUUID())).body,
    );
    expect((await world.getCalendarFeed(url, stranger.organizationId)).status).toBe(404);
  });
});
