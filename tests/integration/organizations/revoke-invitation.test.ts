import { beforeEach, describe, expect, test } from 'vitest';
import { dayMs, minuteMs, setClock } from '#lib/platform/clock.ts';
import { inviteByMail, membershipsOf } from '#tests/support/organizations.ts';
import { type InvitationSetup, invitationSetup, signedInAgain } from './setup.ts';

let world: InvitationSetup;

beforeEach(async () => {
  world = await invitationSetup();
});

describe('revoking an invitation', () => {
  test('ends the invitation, and the address can be invited again', async () => {
    const { id, token } = await world.invite();

    expect((await world.revokeInvitation(id)).status).toBe(200);

    const [late, twice] = [await world.acceptInvitation(token), await world.revokeInvitation(id)];
    expect([late.status, late.body.message]).toEqual([409, 'Invitation is already revoked']);
    expect([twice.status, twice.body.message]).toEqual([409, 'Invitation is already revoked']);
    const again = await world.invite();
    expect((await world.acceptInvitation(again.token)).status).toBe(200);
    expect(await world.statuses()).toEqual(['accepted', 'revoked']);
  });

  test('returns 409 for an accepted invitation', async () => {
    const { id, token } = await world.invite();
    await world.acceptInvitation(token);

    const { status, body } = await world.revokeInvitation(id);

    expect([status, body.message]).toEqual([409, 'Invitation is already accepted']);
    expect(await membershipsOf(world.organizationId)).toMatchObject({ memberCount: 2 });
  });

  test('returns 409 for an expired invitation and keeps its successor valid', async () => {
    const first = await world.invite();
    setClock(() => Date.now() + 7 * dayMs + minuteMs);
    const [owner, member] = await Promise.all([
      signedInAgain(world.ada),
      signedInAgain(world.guest),
    ]);
    const by = { ...world.ada, token: owner };
    const second = await inviteByMail(by, world.organizationId, {
      email: world.guest.email,
      role: 'VIEWER',
    });

    const { status, body } = await world.revokeInvitation(first.id, by);

    expect([status, body.message]).toEqual([409, 'Invitation is already expired']);
    expect((await world.listInvitations(by)).map(({ status: one }) => one)).toEqual([
      'pending',
      'expired',
    ]);
    expect((await world.acceptInvitation(second.token, member)).status).toBe(200);
  });

  test('lets exactly one of a concurrent accept and revoke succeed', async () => {
    for (let run = 0; run < 20; run += 1) {
      world = await invitationSetup();
      const { id, token } = await world.invite();

      const [accepted, revoked] = await Promise.all([
        world.acceptInvitation(token),
        world.revokeInvitation(id),
      ]);

      expect([accepted.status, revoked.status].toSorted()).toEqual([200, 409]);
      const joined = accepted.status === 200;
      expect((joined ? revoked : accepted).body.message).toBe(
        `Invitation is already ${joined ? 'accepted' : 'revoked'}`,
      );
      expect(await world.statuses()).toEqual([joined ? 'accepted' : 'revoked']);
      expect(await membershipsOf(world.organizationId)).toMatchObject({
        memberCount: joined ? 2 : 1,
      });
    }
  });
});
