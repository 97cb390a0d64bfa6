import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { disconnectAccount } from '#lib/features/social/connection/disconnect-account.ts';
import { setClock } from '#lib/platform/clock.ts';
import { deleteContentPost, updateContentPost } from '#schemas/content.ts';
import { getNextPostingSlot } from '#schemas/content-slots.ts';
import { updateOrganization } from '#schemas/organizations.ts';
import { connectedAccount } from '#scripts/fixtures/social-accounts.ts';
import { drainWork } from '#tests/support/work.ts';
import { daily, type SlotsSetup, slotsSetup, thursdays } from './setup.ts';

let world: SlotsSetup;

beforeEach(async () => {
  world = await slotsSetup();
  // A Thursday.
  setClock(() => Date.parse('2026-11-26T07:00:00.000Z'));
});

describe("an account's next posting slot", () => {
  it('contains the time and the account', async () => {
    await world.setSlots({ slots: daily('09:30') });
    const query = { socialAccountId: world.account.id };
    const { status, body } = await world.ask(getNextPostingSlot, { query });

    expect(status).toBe(200);
    expect(body.slot).toEqual({
      at: '2026-11-26T09:30:00.000Z',
      socialAccountId: world.account.id,
    });
  });

  it('is null without slots', async () => {
    expect(await world.nextSlot()).toBeNull();
  });

  it('is later than now', async () => {
    await world.setSlots({ slots: daily('07:00') });

    expect(await world.nextSlot()).toBe('2026-11-27T07:00:00.000Z');
  });

  it("is one of the account's own slots or of the slots for every account", async () => {
    const other = await connectedAccount(world.organizationId);
    const at = (time: string, socialAccountId: string | null) => ({
      weekday: 4,
      time,
      socialAccountId,
    });
    await world.setSlots({
      slots: [at('08:00', other.id), at('09:00', world.account.id), at('10:00', null)],
    });

    expect(await world.nextSlot(world.account.id)).toBe('2026-11-26T09:00:00.000Z');
    expect(await world.nextSlot(other.id)).toBe('2026-11-26T08:00:00.000Z');
    await world.newPost({ scheduledAt: '2026-11-26T09:00:00.000Z' });
    expect(await world.nextSlot(world.account.id)).toBe('2026-11-26T10:00:00.000Z');
  });

  it("is in the time zone of the slots, or in the organization's if the slots have none", async () => {
    await world.ask(updateOrganization, { body: { timezone: 'America/New_York' } });
    await world.setSlots({ slots: daily('09:30') });
    expect(await world.nextSlot()).toBe('2026-11-26T14:30:00.000Z');
    await world.setSlots({ timezone: 'Europe/Berlin', slots: daily('09:30') });

    expect(await world.nextSlot()).toBe('2026-11-26T08:30:00.000Z');
  });

  it('follows daylight saving time', async () => {
    await world.setSlots({ timezone: 'Europe/Berlin', slots: daily('02:30') });
    setClock(() => Date.parse('2026-03-28T12:00:00.000Z'));

    expect(await world.nextSlot()).toBe('2026-03-29T01:30:00.000Z');
  });

  it('skips each minute in which the account has a scheduled post', async () => {
    await world.setSlots({ slots: daily('09:30', '10:30', '11:30') });
    await world.newPost({ scheduledAt: '2026-11-26T09:30:59.999Z' });
    await world.newPost({ scheduledAt: '2026-11-26T10:31:00.000Z' });
    expect(await world.nextSlot()).toBe('2026-11-26T10:30:00.000Z');
    await world.newPost({ scheduledAt: '2026-11-26T10:30:00.000Z' });

    expect(await world.nextSlot()).toBe('2026-11-26T11:30:00.000Z');
  });

  it("does not skip minutes of drafts or of other accounts' posts", async () => {
    await world.setSlots({ slots: daily('09:30') });
    const other = await connectedAccount(world.organizationId);
    const scheduledAt = '2026-11-26T09:30:00.000Z';
    await world.newPost({ scheduledAt, draft: true });
    await world.newPost({ scheduledAt, socialAccountId: other.id });

    expect(await world.nextSlot()).toBe(scheduledAt);
  });

  it('skips a minute to which a post moves, and frees the minute that it leaves', async () => {
    await world.setSlots({ slots: daily('09:30', '10:30') });
    const { id } = await world.newPost({ scheduledAt: '2026-11-26T09:30:00.000Z' });
    const params = { post_id: id };
    const move = (scheduledAt: string | null) =>
      world.ask(updateContentPost, { params, body: { scheduledAt } });
    expect(await world.nextSlot()).toBe('2026-11-26T10:30:00.000Z');
    await move('2026-11-26T10:30:00.000Z');
    expect(await world.nextSlot()).toBe('2026-11-26T09:30:00.000Z');
    await move('2026-11-26T09:30:10.000Z');
    expect(await world.nextSlot()).toBe('2026-11-26T10:30:00.000Z');
    await move(null);
    expect(await world.nextSlot()).toBe('2026-11-26T09:30:00.000Z');
    await move('2026-11-26T09:30:00.000Z');
    expect(await world.nextSlot()).toBe('2026-11-26T10:30:00.000Z');
    await world.ask(deleteContentPost, { params });

    expect(await world.nextSlot()).toBe('2026-11-26T09:30:00.000Z');
  });

  it('is free again after the account was disconnected and connected again', async () => {
    await world.setSlots({ slots: daily('09:30') });
    const { organizationId, account, owner } = world;
    const { id } = await world.newPost({ scheduledAt: '2026-11-26T09:30:00.000Z' });
    await disconnectAccount(organizationId, owner.userId, account.id);
    await drainWork();
    await connectedAccount(organizationId, { ...account });

    expect(await world.readPost(id)).toMatchObject({ status: 'FAILED' });
    expect(await world.nextSlot()).toBe('2026-11-26T09:30:00.000Z');
  });

  it('is null if every slot of a year is taken', async () => {
    const slots = [{ weekday: 4, time: '09:30', socialAccountId: null }];
    await world.setSlots({ timezone: 'UTC', slots });
    await world.takeMinutes(thursdays(52));
    expect(await world.nextSlot()).toBe(thursdays(53).at(-1));
    await world.takeMinutes(thursdays(53));

    expect(await world.nextSlot()).toBeNull();
  });

  it("returns the same 404 for an unknown account and for another organization's account", async () => {
    const stranger = await slotsSetup();
    const ask = (socialAccountId: string) =>
      world.ask(getNextPostingSlot, { query: { socialAccountId } });
    const [foreign, unknown] = [await ask(stranger.account.id), await ask(randomUUID())];

    expect(foreign.status).toBe(404);
    expect(foreign.body).toEqual(unknown.body);
  });

  it('requires an account', async () => {
    const { status, body } = await world.ask(getNextPostingSlot);

    expect(status).toBe(400);
    expect(body.message[0]).toMatch(/^socialAccountId /);
  });
});
