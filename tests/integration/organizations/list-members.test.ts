import { describe, expect, test } from 'vitest';
import { listMembers, removeMember } from '#schemas/organizations.ts';
import { type Account, newAccount, newMember } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { organizationWith } from '#tests/support/organizations.ts';

const ada = await newAccount();

async function list(organizationId: string, { token }: Account) {
  return call(listMembers, { params: { organization_id: organizationId }, token });
}

describe('listing members', () => {
  test('returns members in joining order and reflects changes immediately', async () => {
    const expected = [ada.userId];
    for (const role of ['VIEWER', 'ADMIN', 'MEMBER'] as const) {
      expected.push((await newMember(ada, role)).userId);
      const { body } = await list(ada.organizationId, ada);
      expect(body.members.map(({ id }: { id: string }) => id)).toEqual(expected);
      expect(body.total).toBe(expected.length);
    }

    const [gone = ''] = expected.splice(1, 1);
    const params = { organization_id: ada.organizationId, user_id: gone };
    await call(removeMember, { params, token: ada.token });

    const { body } = await list(ada.organizationId, ada);
    expect(body.members.map(({ id }: { id: string }) => id)).toEqual(expected);
    expect(body.total).toBe(3);
  });

  test('returns only name, role, status and times of a member', async () => {
    const grace = await newAccount({ firstName: 'Grace', lastName: 'Hopper' });
    const organizationId = await organizationWith(ada, [[grace, 'ADMIN']]);

    const { body } = await list(organizationId, grace);

    expect(body.members[1]).toEqual({
      id: grace.userId,
      email: grace.email,
      firstName: 'Grace',
      lastName: 'Hopper',
      avatar: null,
      role: 'ADMIN',
      status: 'active',
      joinedAt: expect.stringMatching(/Z$/),
      lastActiveAt: expect.stringMatching(/Z$/),
    });
  });
});
