import { describe, expect, it } from 'vitest';
import { disconnectAccount } from '#lib/features/social/connection/disconnect-account.ts';
import { getPostingSlots } from '#schemas/content-slots.ts';
import { updateOrganization } from '#schemas/organizations.ts';
import { connectedAccount } from '#scripts/fixtures/social-accounts.ts';
import { slotsSetup } from './setup.ts';

const world = await slotsSetup();

async function getSlots() {
  const { status, body } = await world.ask(getPostingSlots);
  expect(status).toBe(200);

  return { timezone: body.timezone, slots: body.slots };
}

describe('getting the posting slots', () => {
  it("returns none at first, in the organization's time zone", async () => {
    await world.ask(updateOrganization, { body: { timezone: 'Asia/Tokyo' } });

    expect(await getSlots()).toEqual({ timezone: 'Asia/Tokyo', slots: [] });
  });

  it('returns the slots as they were set, with their own time zone', async () => {
    const slots = [
      { weekday: 7, time: '18:00', socialAccountId: null },
      { weekday: 1, time: '09:30', socialAccountId: world.account.id },
    ];
    await world.setSlots({ timezone: 'Europe/Berlin', slots });

    expect(await getSlots()).toEqual({ timezone: 'Europe/Berlin', slots });
  });

  it('omits the slots of a disconnected account', async () => {
    const gone = await connectedAccount(world.organizationId);
    const kept = { weekday: 1, time: '09:30', socialAccountId: world.account.id };
    const slots = [kept, { ...kept, socialAccountId: gone.id }];
    await world.setSlots({ slots });
    expect((await getSlots()).slots).toEqual(slots);
    await disconnectAccount(world.organizationId, world.owner.userId, gone.id);

    expect((await getSlots()).slots).toEqual([kept]);
  });
});
