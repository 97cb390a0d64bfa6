import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dayMs, minuteMs, setClock } from '#lib/platform/clock.ts';
import { newId } from '#lib/platform/ids.ts';
import { getMe, logIn, updateMe } from '#schemas/auth.ts';
import {
  acceptInvitation,
  declineInvitation,
  getOrganization,
  listInvitations,
  listMembers,
  revokeInvitation,
} from '#schemas/organizations.ts';
import { type Account, freshEmail, newAccount, password } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { atOnce } from '#tests/support/depth.ts';
import { inviteByMail, membershipsOf, organizationWith } from '#tests/support/organizations.ts';
import { seat } from '#tests/support/seat.ts';

let ada: Account;
let guest: Account;
let organizationId: string;

beforeAll(async () => {
  [ada, guest] = [await newAccount(), await newAccount()];
});
beforeEach(async () => {
  organizationId = await organizationWith(ada);
});
afterEach(() => {
  setClock();
});

function invite(role: 'OWNER' | 'ADMIN' | 'MEMBER' | 'VIEWER' = 'MEMBER') {
  return inviteByMail(ada, organizationId, { email: guest.email, role });
}

function accept(token: string, by = guest.token) {
  return call(acceptInvitation, { body: { token }, token: by });
}

function decline(token: string, by = guest.token) {
  return call(declineInvitation, { body: { token }, token: by });
}

function revoke(invitationId: string, { token } = ada, id = organizationId) {
  const params = { organization_id: id, invitation_id: invitationId };

  return call(revokeInvitation, { params, token });
}

async function list({ token } = ada) {
  const { status, body } = await call(listInvitations, {
    params: { organization_id: organizationId },
    token,
  });
  expect([status, body.total]).toEqual([200, body.invitations.length]);

  return body.invitations as ReadonlyArray<Readonly<Record<string, string>>>;
}

async function statuses(): Promise<readonly (string | undefined)[]> {
  return (await list()).map(({ status }) => status);
}

async function signedInAgain({ email }: Account): Promise<string> {
  const { body } = await call(logIn, { body: { email, password } });

  return body.authToken;
}

describe('accepting an invitation', () => {
  test('verifies the invited address, while declining does not', async () => {
    const grace = await newAccount();
    const isVerified = async () =>
      (await call(getMe, { token: grace.token })).body.user.emailVerified;
    const inviteGrace = () =>
      inviteByMail(ada, organizationId, { email: grace.email, role: 'MEMBER' });
    await decline((await inviteGrace()).token, grace.token);
    expect(await isVerified()).toBe(false);
    expect((await accept((await inviteGrace()).token, grace.token)).status).toBe(200);

    expect(await isVerified()).toBe(true);
  });

  test.each(['OWNER', 'ADMIN', 'MEMBER', 'VIEWER'] as const)(
    'creates a %s membership once',
    async (role) => {
      const { token } = await invite(role);

      const { status, body } = await accept(token);

      expect(status).toBe(200);
      expect(body.organization).toEqual({ id: organizationId, name: 'Difference Engines', role });
      const read = await call(getOrganization, {
        params: { organization_id: organizationId },
        token: guest.token,
      });
      expect(read.body.organization).toMatchObject({ role, memberCount: 2 });
      const again = await accept(token);
      expect([again.status, again.body.message]).toEqual([409, 'Invitation is already accepted']);
      expect(await membershipsOf(organizationId)).toMatchObject({
        memberCount: 2,
        ownerCount: role === 'OWNER' ? 2 : 1,
      });
    },
  );

  test('creates one membership for many concurrent requests', async () => {
    const { token } = await invite();
    const many = atOnce(50);

    const answers = await Promise.all(Array.from({ length: many }, () => accept(token)));

    const got = answers.map(({ status }) => status);
    expect(got.filter((status) => status === 200)).toHaveLength(1);
    expect(got.filter((status) => status === 409)).toHaveLength(many - 1);
    expect(await membershipsOf(organizationId)).toMatchObject({
      seats: [`${ada.userId} OWNER`, `${guest.userId} MEMBER`].toSorted(),
      memberCount: 2,
    });
  });

  test('works only for the invited user', async () => {
    const { token } = await invite();
    const thief = await newAccount();

    for (const answer of [await accept(token, thief.token), await decline(token, thief.token)]) {
      expect([answer.status, answer.body.message]).toEqual([
        403,
        'This invitation was sent to another email address',
      ]);
    }

    expect(await statuses()).toEqual(['pending']);
    expect((await accept(token)).status).toBe(200);
  });

  test('fails after the user changes their email address', async () => {
    const mover = await newAccount();
    const { token } = await inviteByMail(ada, organizationId, {
      email: mover.email,
      role: 'VIEWER',
    });
    await call(updateMe, { body: { email: freshEmail('moved') }, token: mover.token });

    expect((await accept(token, mover.token)).status).toBe(403);
  });

  test('returns 409 to an existing member, who keeps their role', async () => {
    const { token } = await invite('ADMIN');
    await seat(organizationId, guest.userId, 'VIEWER');

    const { status, body } = await accept(token);

    expect([status, body.message]).toEqual([409, 'User is already a member of this organization']);
    expect((await membershipsOf(organizationId)).seats).toContain(`${guest.userId} VIEWER`);
  });

  test('works until the invitation expires after seven days', async () => {
    const [inTime, late] = [await invite(), await newAccount()];
    const missed = await inviteByMail(ada, organizationId, { email: late.email, role: 'VIEWER' });

    setClock(() => Date.now() + 7 * dayMs - minuteMs);
    expect((await accept(inTime.token, await signedInAgain(guest))).status).toBe(200);

    setClock(() => Date.now() + 7 * dayMs);
    const by = await signedInAgain(late);
    for (const answer of [await accept(missed.token, by), await decline(missed.token, by)]) {
      expect([answer.status, answer.body.message]).toEqual([409, 'Invitation is already expired']);
    }
    expect(await membershipsOf(organizationId)).toMatchObject({ memberCount: 2 });
  });

  test.each(['nothing-of-the-kind', 'a'.repeat(43), 'ORG#x', '../../etc'])(
    'returns 404 for the unknown token %s',
    async (token) => {
      const { status, body } = await accept(token);

      expect([status, body.message]).toEqual([
        404,
        "Invitation not found or you don't have access",
      ]);
    },
  );

  test.each([{}, { token: '' }, { token: null }, { token: 7 }, { token: 'x'.repeat(201) }])(
    'returns 400 for the body %j',
    async (body) => {
      const answer = await call(acceptInvitation, { body, token: guest.token });

      expect(answer.status).toBe(400);
      expect(answer.body.message).toEqual([expect.stringMatching(/^token /)]);
    },
  );
});

describe('declining an invitation', () => {
  test('ends the invitation, and the address can be invited again', async () => {
    const { token } = await invite();

    expect((await decline(token)).status).toBe(200);

    for (const answer of [await accept(token), await decline(token)]) {
      expect([answer.status, answer.body.message]).toEqual([409, 'Invitation is already declined']);
    }
    const again = await invite();
    expect((await accept(again.token)).status).toBe(200);
    expect(await statuses()).toEqual(['accepted', 'declined']);
  });
});

describe('revoking an invitation', () => {
  test('ends the invitation, and the address can be invited again', async () => {
    const { id, token } = await invite();

    expect((await revoke(id)).status).toBe(200);

    const [late, twice] = [await accept(token), await revoke(id)];
    expect([late.status, late.body.message]).toEqual([409, 'Invitation is already revoked']);
    expect([twice.status, twice.body.message]).toEqual([409, 'Invitation is already revoked']);
    const again = await invite();
    expect((await accept(again.token)).status).toBe(200);
    expect(await statuses()).toEqual(['accepted', 'revoked']);
  });

  test('returns 409 for an accepted invitation', async () => {
    const { id, token } = await invite();
    await accept(token);

    const { status, body } = await revoke(id);

    expect([status, body.message]).toEqual([409, 'Invitation is already accepted']);
    expect(await membershipsOf(organizationId)).toMatchObject({ memberCount: 2 });
  });

  test('returns 409 for an expired invitation and keeps its successor valid', async () => {
    const first = await invite();
    setClock(() => Date.now() + 7 * dayMs + minuteMs);
    const [owner, member] = await Promise.all([signedInAgain(ada), signedInAgain(guest)]);
    const by = { ...ada, token: owner };
    const second = await inviteByMail(by, organizationId, { email: guest.email, role: 'VIEWER' });

    const { status, body } = await revoke(first.id, by);

    expect([status, body.message]).toEqual([409, 'Invitation is already expired']);
    expect((await list(by)).map(({ status: one }) => one)).toEqual(['pending', 'expired']);
    expect((await accept(second.token, member)).status).toBe(200);
  });

  test('lets exactly one of a concurrent accept and revoke succeed', async () => {
    for (let run = 0; run < 20; run += 1) {
      organizationId = await organizationWith(ada);
      const { id, token } = await invite();

      const [accepted, revoked] = await Promise.all([accept(token), revoke(id)]);

      expect([accepted.status, revoked.status].toSorted()).toEqual([200, 409]);
      const joined = accepted.status === 200;
      expect((joined ? revoked : accepted).body.message).toBe(
        `Invitation is already ${joined ? 'accepted' : 'revoked'}`,
      );
      expect(await statuses()).toEqual([joined ? 'accepted' : 'revoked']);
      expect(await membershipsOf(organizationId)).toMatchObject({ memberCount: joined ? 2 : 1 });
    }
  });

  test('answers the same for an unknown invitation and one from another organization', async () => {
    const other = await organizationWith(guest);
    const foreign = await inviteByMail(guest, other, { email: freshEmail(), role: 'VIEWER' });

    const [strange, unknown] = [await revoke(foreign.id), await revoke(newId())];

    expect(strange.status).toBe(404);
    expect(strange.body.message).toBe("Invitation not found or you don't have access");
    expect(JSON.stringify(strange.body)).toBe(JSON.stringify(unknown.body));
    const kept = await call(listInvitations, {
      params: { organization_id: other },
      token: guest.token,
    });
    expect(kept.body.invitations[0].status).toBe('pending');
  });
});

describe('listing invitations', () => {
  test('returns every invitation, newest first, with its status', async () => {
    const pending = await inviteByMail(ada, organizationId, { email: freshEmail(), role: 'OWNER' });
    const declined = await invite();
    await decline(declined.token);
    const revoked = await invite();
    await revoke(revoked.id);
    const accepted = await invite();
    await accept(accepted.token);

    expect((await list()).map(({ id, status }) => [id, status])).toEqual([
      [accepted.id, 'accepted'],
      [revoked.id, 'revoked'],
      [declined.id, 'declined'],
      [pending.id, 'pending'],
    ]);

    setClock(() => Date.now() + 7 * dayMs);
    const later = { ...ada, token: await signedInAgain(ada) };
    expect((await list(later)).at(-1)).toMatchObject({ id: pending.id, status: 'expired' });
  });
});

describe('access', () => {
  test.each(['MEMBER', 'VIEWER'] as const)(
    'does not let %s list or revoke invitations',
    async (role) => {
      const { id } = await invite();
      const member = await newAccount();
      await seat(organizationId, member.userId, role);

      const listed = await call(listInvitations, {
        params: { organization_id: organizationId },
        token: member.token,
      });
      const revoked = await revoke(id, member);

      expect([listed.status, listed.body.message]).toEqual([
        403,
        'Only owners and admins can see invitations',
      ]);
      expect([revoked.status, revoked.body.message]).toEqual([
        403,
        'Only owners and admins can revoke invitations',
      ]);
      expect(await statuses()).toEqual(['pending']);
    },
  );

  test('returns 401 when the caller is not signed in, even with a valid token', async () => {
    const { token } = await invite();

    expect((await call(acceptInvitation, { body: { token } })).status).toBe(401);
    expect((await call(declineInvitation, { body: { token } })).status).toBe(401);
  });

  test('grants no access before the invitation is accepted', async () => {
    await invite();

    const { status } = await call(listMembers, {
      params: { organization_id: organizationId },
      token: guest.token,
    });

    expect(status).toBe(404);
  });
});
