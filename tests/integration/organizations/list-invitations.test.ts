import { beforeEach, describe, expect, test } from 'vitest';
import { dayMs, setClock } from '#lib/platform/clock.ts';
import { listInvitations } from '#schemas/organizations.ts';
import { seat } from '#scripts/fixtures/seat.ts';
import { freshEmail, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { inviteByMail } from '#tests/support/organizations.ts';
import { type InvitationSetup, invitationSetup, signedInAgain } from './setup.ts';

let world: InvitationSetup;

beforeEach(async () => {
  world = await invitationSetup();
});

describe('listing invitations', () => {
  test('returns every invitation, newest first, with its status', async () => {
    const pending = await inviteByMail(world.ada, world.organizationId, {
      email: freshEmail(),
      role: 'OWNER',
    });
    const declined = await world.invite();
    await world.declineInvitation(declined.token);
    const revoked = await world.invite();
    await world.revokeInvitation(revoked.id);
    const accepted = await world.invite();
    await world.acceptInvitation(accepted.token);

    expect((await world.listInvitations()).map(({ id, status }) => [id, status])).toEqual([
      [accepted.id, 'accepted'],
      [revoked.id, 'revoked'],
      [declined.id, 'declined'],
      [pending.id, 'pending'],
    ]);

    setClock(() => Date.now() + 7 * dayMs);
    const later = { ...world.ada, token: await signedInAgain(world.ada) };
    expect((await world.listInvitations(later)).at(-1)).toMatchObject({
      id: pending.id,
      status: 'expired',
    });
  });
});

describe('access', () => {
  test.each(['MEMBER', 'VIEWER'] as const)(
    'does not let %s list or revoke invitations',
    async (role) => {
      const { id } = await world.invite();
      const member = await newAccount();
      await seat(world.organizationId, member.userId, role);

      const listed = await call(listInvitations, {
        params: { organization_id: world.organizationId },
        token: member.token,
      });
      const revoked = await world.revokeInvitation(id, member);

      expect([listed.status, listed.body.message]).toEqual([
        403,
        'Only owners and admins can see invitations',
      ]);
      expect([revoked.status, revoked.body.message]).toEqual([
        403,
        'Only owners and admins can revoke invitations',
      ]);
      expect(await world.statuses()).toEqual(['pending']);
    },
  );
});
