import { beforeEach, describe, expect, test } from 'vitest';
import { dayMs, minuteMs, setClock } from '#lib/platform/clock.ts';
import { getMe, updateMe, verifyEmail } from '#schemas/auth.ts';
import {
  acceptInvitation,
  declineInvitation,
  getOrganization,
  listMembers,
} from '#schemas/organizations.ts';
import { seat } from '#scripts/fixtures/seat.ts';
import { freshEmail, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { atOnce } from '#tests/support/depth.ts';
import { mailsTo, tokenIn } from '#tests/support/mails.ts';
import { inviteByMail, membershipsOf } from '#tests/support/organizations.ts';
import { type InvitationSetup, invitationSetup, signedInAgain } from './setup.ts';

let world: InvitationSetup;

beforeEach(async () => {
  world = await invitationSetup();
});

describe('an address that the user changed to', () => {
  test('cannot accept an invitation until it is verified', async () => {
    const invited = freshEmail('invited');
    const { token } = await inviteByMail(world.ada, world.organizationId, {
      email: invited,
      role: 'ADMIN',
    });
    const stranger = await newAccount();
    await call(updateMe, { token: stranger.token, body: { email: invited } });
    const refused = await world.acceptInvitation(token, stranger.token);

    expect([refused.status, refused.body.message, refused.body.code]).toEqual([
      403,
      'Verify your email address before you accept an invitation',
      'EMAIL_UNVERIFIED',
    ]);
    const mails = await mailsTo(invited);
    const link = mails.find(({ text }) => text?.includes('/email/verify?token='));
    await call(verifyEmail, { body: { token: tokenIn(link) } });
    expect((await world.acceptInvitation(token, stranger.token)).status).toBe(200);
  });
});

describe('accepting an invitation', () => {
  test('verifies the invited address, while declining does not', async () => {
    const grace = await newAccount();
    const isVerified = async () =>
      (await call(getMe, { token: grace.token })).body.user.emailVerified;
    const inviteGrace = () =>
      inviteByMail(world.ada, world.organizationId, { email: grace.email, role: 'MEMBER' });
    await world.declineInvitation((await inviteGrace()).token, grace.token);
    expect(await isVerified()).toBe(false);
    expect((await world.acceptInvitation((await inviteGrace()).token, grace.token)).status).toBe(
      200,
    );

    expect(await isVerified()).toBe(true);
  });

  test.each(['OWNER', 'ADMIN', 'MEMBER', 'VIEWER'] as const)(
    'creates a %s membership once',
    async (role) => {
      const { token } = await world.invite(role);

      const { status, body } = await world.acceptInvitation(token);

      expect(status).toBe(200);
      expect(body.organization).toEqual({
        id: world.organizationId,
        name: 'Difference Engines',
        role,
      });
      const read = await call(getOrganization, {
        params: { organization_id: world.organizationId },
        token: world.guest.token,
      });
      expect(read.body.organization).toMatchObject({ role, memberCount: 2 });
      const again = await world.acceptInvitation(token);
      expect([again.status, again.body.message]).toEqual([409, 'Invitation is already accepted']);
      expect(await membershipsOf(world.organizationId)).toMatchObject({
        memberCount: 2,
        ownerCount: role === 'OWNER' ? 2 : 1,
      });
    },
  );

  test('creates one membership for many concurrent requests', async () => {
    const { token } = await world.invite();
    const many = atOnce(50);

    const answers = await Promise.all(
      Array.from({ length: many }, () => world.acceptInvitation(token)),
    );

    const got = answers.map(({ status }) => status);
    expect(got.filter((status) => status === 200)).toHaveLength(1);
    expect(got.filter((status) => status === 409)).toHaveLength(many - 1);
    expect(await membershipsOf(world.organizationId)).toMatchObject({
      seats: [`${world.ada.userId} OWNER`, `${world.guest.userId} MEMBER`].toSorted(),
      memberCount: 2,
    });
  });

  test('works only for the invited user', async () => {
    const { token } = await world.invite();
    const thief = await newAccount();

    for (const answer of [
      await world.acceptInvitation(token, thief.token),
      await world.declineInvitation(token, thief.token),
    ]) {
      expect([answer.status, answer.body.message, answer.body.code]).toEqual([
        403,
        'This invitation was sent to another email address',
        'INVITATION_ADDRESS_MISMATCH',
      ]);
    }

    expect(await world.statuses()).toEqual(['pending']);
    expect((await world.acceptInvitation(token)).status).toBe(200);
  });

  test('fails after the user changes their email address', async () => {
    const mover = await newAccount();
    const { token } = await inviteByMail(world.ada, world.organizationId, {
      email: mover.email,
      role: 'VIEWER',
    });
    await call(updateMe, { body: { email: freshEmail('moved') }, token: mover.token });

    expect((await world.acceptInvitation(token, mover.token)).status).toBe(403);
  });

  test('returns 409 to an existing member, who keeps their role', async () => {
    const { token } = await world.invite('ADMIN');
    await seat(world.organizationId, world.guest.userId, 'VIEWER');

    const { status, body } = await world.acceptInvitation(token);

    expect([status, body.message]).toEqual([409, 'User is already a member of this organization']);
    expect((await membershipsOf(world.organizationId)).seats).toContain(
      `${world.guest.userId} VIEWER`,
    );
  });

  test('works until the invitation expires after seven days', async () => {
    const [inTime, late] = [await world.invite(), await newAccount()];
    const missed = await inviteByMail(world.ada, world.organizationId, {
      email: late.email,
      role: 'VIEWER',
    });

    setClock(() => Date.now() + 7 * dayMs - minuteMs);
    expect(
      (await world.acceptInvitation(inTime.token, await signedInAgain(world.guest))).status,
    ).toBe(200);

    setClock(() => Date.now() + 7 * dayMs);
    const by = await signedInAgain(late);
    for (const answer of [
      await world.acceptInvitation(missed.token, by),
      await world.declineInvitation(missed.token, by),
    ]) {
      expect(answer).toMatchObject({
        status: 409,
        body: { message: 'Invitation is already expired', state: 'expired' },
      });
    }
    expect(await membershipsOf(world.organizationId)).toMatchObject({ memberCount: 2 });
  });

  test.each(['nothing-of-the-kind', 'a'.repeat(43), 'ORG#x', '../../etc'])(
    'returns 404 for the unknown token %s',
    async (token) => {
      const { status, body } = await world.acceptInvitation(token);

      expect([status, body.message]).toEqual([
        404,
        "Invitation not found or you don't have access",
      ]);
    },
  );

  test.each([{}, { token: '' }, { token: null }, { token: 7 }, { token: 'x'.repeat(201) }])(
    'returns 400 for the body %j',
    async (body) => {
      const answer = await call(acceptInvitation, { body, token: world.guest.token });

      expect(answer.status).toBe(400);
      expect(answer.body.message).toEqual([expect.stringMatching(/^token /)]);
    },
  );
});

describe('access', () => {
  test('is possible without a session only for joining', async () => {
    const { token } = await world.invite();

    expect((await call(acceptInvitation, { body: { token } })).status).toBe(400);
    expect((await call(declineInvitation, { body: { token } })).status).toBe(401);
  });

  test('grants no access before the invitation is accepted', async () => {
    await world.invite();

    const { status } = await call(listMembers, {
      params: { organization_id: world.organizationId },
      token: world.guest.token,
    });

    expect(status).toBe(404);
  });
});
