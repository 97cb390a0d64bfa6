import { describe, expect, test } from 'vitest';
import { type Role, roles } from '#schemas/contract.ts';
import { leaveOrganization, listMembers, updateMemberRole } from '#schemas/organizations.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { membershipsOf, organizationWith } from '#tests/support/organizations.ts';

const ownersOnly = 'Only owners can grant or revoke the owner role';
const refusal = 'Only owners and admins can update member roles';

/** Ada creates the organizations in these tests. The actor and the target are two other users. */

const [ada, actor, target] = [await newAccount(), await newAccount(), await newAccount()];

function give(organizationId: string, userId: string, role: unknown, { token } = actor) {
  const params = { organization_id: organizationId, user_id: userId };

  return call(updateMemberRole, { params, body: { role }, token });
}

async function roleOf(organizationId: string, { userId }: Account): Promise<Role | undefined> {
  const params = { organization_id: organizationId };
  const { body } = await call(listMembers, { params, token: ada.token });

  return body.members.find(({ id }: { id: string }) => id === userId)?.role;
}

async function expectConsistent(organizationId: string): Promise<void> {
  const { seats, mirroredSeats, memberCount, ownerCount, owners } =
    await membershipsOf(organizationId);
  expect(mirroredSeats).toEqual(seats);
  expect([memberCount, ownerCount]).toEqual([seats.length, owners]);
}

/** Returns the error the rules require for this role change, or undefined if it is allowed. */
function expectedError(by: Role, from: Role, to: Role): string | undefined {
  if (by === 'MEMBER' || by === 'VIEWER') {
    return refusal;
  }

  return by === 'ADMIN' && [from, to].includes('OWNER') ? ownersOnly : undefined;
}

const pairs = roles.flatMap((by) => roles.map((from) => [by, from] as const));

describe("changing a member's role", () => {
  test('returns the member with the new role', async () => {
    const organizationId = await organizationWith(actor, [[target, 'VIEWER']]);

    const { status, body } = await give(organizationId, target.userId, 'MEMBER');

    expect(status).toBe(200);
    expect(body.member).toEqual({
      id: target.userId,
      email: target.email,
      role: 'MEMBER',
      updatedAt: expect.stringMatching(/Z$/),
    });
  });

  test('transfers ownership by promoting a member, stepping down and leaving', async () => {
    const organizationId = await organizationWith(ada, [[target, 'MEMBER']]);

    const promoted = await give(organizationId, target.userId, 'OWNER', ada);
    const steppedDown = await give(organizationId, ada.userId, 'ADMIN', ada);
    const left = await call(leaveOrganization, {
      params: { organization_id: organizationId },
      token: ada.token,
    });

    expect([promoted.status, steppedDown.status, left.status]).toEqual([200, 200, 200]);
    expect(await membershipsOf(organizationId)).toMatchObject({
      seats: [`${target.userId} OWNER`],
      memberCount: 1,
      ownerCount: 1,
    });
  });
});

describe('access', () => {
  test.each(pairs)(
    'lets %s change a member who is %s only if the rules allow it',
    async (by, from) => {
      for (const to of roles) {
        const organizationId = await organizationWith(ada, [
          [actor, by],
          [target, from],
        ]);
        const refused = expectedError(by, from, to);

        const { status, body } = await give(organizationId, target.userId, to);

        expect([to, status]).toEqual([to, refused ? 403 : 200]);
        expect(body.message).toBe(refused ?? 'Member role updated successfully');
        expect(await roleOf(organizationId, target)).toBe(refused ? from : to);
        await expectConsistent(organizationId);
      }
    },
  );

  test.each([
    ['ADMIN', 'OWNER', 'You cannot raise your own role'],
    ['MEMBER', 'OWNER', refusal],
    ['MEMBER', 'ADMIN', refusal],
    ['VIEWER', 'MEMBER', refusal],
  ] as const)('does not let %s promote themselves to %s', async (own, wanted, message) => {
    const organizationId = await organizationWith(ada, [[actor, own]]);

    const { status, body } = await give(organizationId, actor.userId, wanted);

    expect([status, body.message]).toEqual([403, message]);
    expect(await roleOf(organizationId, actor)).toBe(own);
  });

  test.each([
    ['OWNER', 'ADMIN'],
    ['OWNER', 'VIEWER'],
    ['OWNER', 'OWNER'],
    ['ADMIN', 'VIEWER'],
    ['ADMIN', 'ADMIN'],
  ] as const)('lets %s change their own role to %s', async (own, wanted) => {
    const organizationId = await organizationWith(ada, [[actor, own]]);

    expect((await give(organizationId, actor.userId, wanted)).status).toBe(200);

    expect(await roleOf(organizationId, actor)).toBe(wanted);
    await expectConsistent(organizationId);
  });
});

describe('invalid changes', () => {
  test.each(['ADMIN', 'MEMBER', 'VIEWER'] as const)(
    'does not let the last owner step down to %s',
    async (role) => {
      const organizationId = await organizationWith(ada, [[actor, 'ADMIN']]);

      const { status, body } = await give(organizationId, ada.userId, role, ada);

      expect(status).toBe(400);
      expect(body.message).toBe('Transfer ownership before leaving the organization');
      expect(await roleOf(organizationId, ada)).toBe('OWNER');
      await expectConsistent(organizationId);
    },
  );

  test.each([
    ['no role', undefined],
    ['null', null],
    ['an unknown role', 'KING'],
    ['a lowercase role', 'owner'],
    ['a list of roles', ['OWNER']],
  ])('returns 400 listing the valid roles for %s', async (_, role) => {
    const organizationId = await organizationWith(actor, [[target, 'VIEWER']]);

    const { status, body } = await give(organizationId, target.userId, role);

    expect(status).toBe(400);
    expect(body.message).toEqual([
      expect.stringMatching(/^role .*(OWNER, ADMIN, MEMBER, VIEWER|required)/),
    ]);
  });
});
