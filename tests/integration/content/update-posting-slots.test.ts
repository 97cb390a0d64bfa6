import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { getPostingSlots, updatePostingSlots } from '#schemas/content-slots.ts';
import { updateOrganization } from '#schemas/organizations.ts';
import { daily, slotsSetup } from './setup.ts';

const world = await slotsSetup();

const slot = { weekday: 1, time: '09:30', socialAccountId: null };

function put(body: Readonly<Record<string, unknown>>) {
  return world.ask(updatePostingSlots, { body });
}

describe('replacing the posting slots', () => {
  it('replaces all of them, and returns time zone and slots', async () => {
    await world.setSlots({ slots: daily('08:00', '12:00') });
    const { status, body } = await put({ timezone: 'America/New_York', slots: [slot] });
    const { body: read } = await world.ask(getPostingSlots);

    expect(status).toBe(200);
    expect(body).toMatchObject({ timezone: 'America/New_York', slots: [slot] });
    expect(read).toMatchObject({ timezone: 'America/New_York', slots: [slot] });
  });

  it("uses the organization's time zone if none is given", async () => {
    await world.ask(updateOrganization, { body: { timezone: 'Asia/Tokyo' } });
    const { body } = await put({ slots: [{ weekday: 1, time: '09:30' }] });
    await world.ask(updateOrganization, { body: { timezone: 'Europe/Berlin' } });
    const { body: read } = await world.ask(getPostingSlots);

    expect(body).toMatchObject({ timezone: 'Asia/Tokyo', slots: [slot] });
    expect(read).toMatchObject({ timezone: 'Europe/Berlin', slots: [slot] });
  });

  it('accepts up to 100 slots', async () => {
    const hundred = Array.from({ length: 100 }, (_, minute) => ({
      ...slot,
      time: `0${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}`,
    }));

    expect((await put({ slots: hundred })).body.slots).toHaveLength(100);
    expect((await put({ slots: [] })).body.slots).toEqual([]);
  });

  it.each([
    ['weekday 0', { slots: [{ ...slot, weekday: 0 }] }, /^slots\.0\.weekday /],
    ['weekday 8', { slots: [slot, { ...slot, weekday: 8 }] }, /^slots\.1\.weekday /],
    ['weekday 1.5', { slots: [{ ...slot, weekday: 1.5 }] }, /^slots\.0\.weekday /],
    ['24:00', { slots: [{ ...slot, time: '24:00' }] }, /^slots\.0\.time must be a time in HH:MM/],
    ['9:30', { slots: [{ ...slot, time: '9:30' }] }, /^slots\.0\.time /],
    ['09:60', { slots: [{ ...slot, time: '09:60' }] }, /^slots\.0\.time /],
    [
      'a text as account',
      { slots: [{ ...slot, socialAccountId: 'a' }] },
      /^slots\.0\.socialAccountId /,
    ],
    ['101 slots', { slots: Array.from({ length: 101 }, () => slot) }, /^slots /],
    ['an unknown time zone', { timezone: 'Mars/Olympus', slots: [] }, /^timezone must be a valid/],
    ['an offset as time zone', { timezone: '+02:00', slots: [] }, /^timezone must be a valid/],
    ['no slots field', { timezone: 'Europe/Berlin' }, /^slots /],
  ])('rejects %s', async (_, body, message) => {
    const answer = await put(body);

    expect(answer.status).toBe(400);
    expect(answer.body.message).toContainEqual(expect.stringMatching(message));
  });

  it("returns the same 404 for an unknown account and for another organization's account", async () => {
    const stranger = await slotsSetup();
    const answers = await Promise.all(
      [stranger.account.id, randomUUID()].map((socialAccountId) =>
        put({ slots: [{ ...slot, socialAccountId }] }),
      ),
    );
    const [foreign, unknown] = answers;

    expect(foreign).toMatchObject({ status: 404 });
    expect(foreign?.body).toEqual(unknown?.body);
    expect((await world.ask(getPostingSlots)).body.slots).toEqual([]);
  });
});
