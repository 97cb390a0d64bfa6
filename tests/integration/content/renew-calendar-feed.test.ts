import { describe, expect, it } from 'vitest';
import { storedItems } from '#tests/support/table.ts';
import { calendarFeedSetup } from './setup.ts';

const world = await calendarFeedSetup();

describe('the calendar feed', () => {
  it('has one URL at a time, whose token is never stored in plaintext', async () => {
    const former = await world.renewCalendarFeed();
    const current = await world.renewCalendarFeed();
    const token = current.searchParams.get('token') ?? '';

    expect((await world.getCalendarFeed(former)).status).toBe(404);
    expect((await world.getCalendarFeed(current)).status).toBe(200);
    expect(token.length).toBeGreaterThan(40);
    expect(JSON.stringify(await storedItems(`ORG#${world.organizationId}`))).not.toContain(token);
  });
});
