import { beforeEach, describe, expect, test } from 'vitest';
import { type InvitationSetup, invitationSetup } from './setup.ts';

let world: InvitationSetup;

beforeEach(async () => {
  world = await invitationSetup();
});

describe('declining an invitation', () => {
  test('ends the invitation, and the address can be invited again', async () => {
    const { token } = await world.invite();

    expect((await world.declineInvitation(token)).status).toBe(200);

    for (const answer of [
      await world.acceptInvitation(token),
      await world.declineInvitation(token),
    ]) {
      expect([answer.status, answer.body.message]).toEqual([409, 'Invitation is already declined']);
    }
    const again = await world.invite();
    expect((await world.acceptInvitation(again.token)).status).toBe(200);
    expect(await world.statuses()).toEqual(['accepted', 'declined']);
  });
});
