import { afterEach, describe, expect, it } from 'vitest';
import { dayMs, setClock } from '#lib/platform/clock.ts';
import { deleteMe } from '#schemas/auth.ts';
import { deleteOrganization, lookUpInvitation } from '#schemas/organizations.ts';
import { freshEmail, newAccount, newMember, password } from '#tests/support/accounts.ts';
import { call, freshIp } from '#tests/support/api.ts';
import { inviteByMail } from '#tests/support/organizations.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { drainWork } from '#tests/support/work.ts';
import { invitationSetup } from './setup.ts';

afterEach(() => {
  liftRateLimits();
});

const lookUp = (token: string, options = {}) =>
  call(lookUpInvitation, { body: { token }, ...options });

const notFound = {
  status: 404,
  body: { message: "Invitation not found or you don't have access" },
};

describe('looking up an invitation', () => {
  it('shows the invited role and organization, and nothing else', async () => {
    const host = await newAccount({ organizationName: 'Compilers' });
    const email = freshEmail('grace');
    const { token } = await inviteByMail(host, host.organizationId, { email, role: 'ADMIN' });
    const { status, body } = await lookUp(token);

    expect([status, body]).toEqual([
      200,
      {
        success: true,
        message: 'Invitation retrieved successfully',
        invitation: {
          email,
          role: 'ADMIN',
          status: 'pending',
          expiresAt: expect.any(String),
          organization: { name: 'Compilers' },
          invitedBy: { firstName: 'Ada', lastName: 'Lovelace' },
        },
        hasAccount: false,
      },
    ]);
  });

  it('shows whether the address has an account, with or without credentials', async () => {
    const world = await invitationSetup();
    const { token } = await world.invite();

    for (const credentials of [{}, { token: world.guest.token }, { token: 'garbage' }]) {
      expect((await lookUp(token, credentials)).body.hasAccount).toBe(true);
    }
  });

  it('shows the state of an ended invitation', async () => {
    const world = await invitationSetup();
    const statusOf = async (token: string) => (await lookUp(token)).body.invitation.status;
    const declined = await world.invite();
    await world.declineInvitation(declined.token);
    const revoked = await world.invite();
    await world.revokeInvitation(revoked.id);
    const accepted = await world.invite();
    await world.acceptInvitation(accepted.token);
    const late = await inviteByMail(world.ada, world.organizationId, {
      email: freshEmail(),
      role: 'VIEWER',
    });
    setClock(() => Date.now() + 7 * dayMs);

    expect(
      await Promise.all([declined, revoked, accepted, late].map(({ token }) => statusOf(token))),
    ).toEqual(['declined', 'revoked', 'accepted', 'expired']);
  });

  it('shows no inviter if that account was deleted', async () => {
    const host = await newAccount();
    const admin = await newMember(host, 'ADMIN');
    const { token } = await inviteByMail(admin, host.organizationId, {
      email: freshEmail(),
      role: 'VIEWER',
    });
    await call(deleteMe, { token: admin.token, body: { password } });
    await drainWork();

    expect((await lookUp(token)).body.invitation).toMatchObject({
      status: 'revoked',
      invitedBy: null,
    });
  });

  it('returns 404 for an unknown token, and for a deleted organization', async () => {
    const host = await newAccount();
    const { token } = await inviteByMail(host, host.organizationId, {
      email: freshEmail(),
      role: 'VIEWER',
    });
    expect(await lookUp('unknown')).toMatchObject(notFound);

    const params = { organization_id: host.organizationId };
    await call(deleteOrganization, { params, token: host.token });
    expect((await lookUp(token)).status).toBe(404);
    await drainWork();
    expect(await lookUp(token)).toMatchObject(notFound);
  });

  it('is limited like public pages', async () => {
    process.env.PUBLIC_LIMIT_PER_IP = '1';
    const ip = freshIp();
    await lookUp('unknown', { ip });
    await lookUp('unknown', { ip });

    expect((await lookUp('unknown', { ip })).status).toBe(429);
  });
});
