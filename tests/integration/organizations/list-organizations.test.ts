import { describe, expect, test } from 'vitest';
import {
  createOrganization,
  deleteOrganization,
  leaveOrganization,
  listOrganizations,
} from '#schemas/organizations.ts';
import { type Account, newAccount, newMember } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';

const ada = await newAccount({ organizationName: 'First of Ada' });

async function create(account: Account, name: string): Promise<string> {
  const { body } = await call(createOrganization, { body: { name }, token: account.token });

  return body.organization.id;
}

async function list(account: Account) {
  const { status, body } = await call(listOrganizations, { token: account.token });
  expect(status).toBe(200);
  expect(body.total).toBe(body.organizations.length);

  return body.organizations as ReadonlyArray<Readonly<Record<string, unknown>>>;
}

describe('listing organizations', () => {
  test('returns a new organization first, immediately after its creation', async () => {
    const grace = await newAccount({ organizationName: 'First of Grace' });
    const expected = [grace.organizationId];

    for (let round = 1; round <= 10; round += 1) {
      expected.unshift(await create(grace, `Engines ${round}`));
      expect((await list(grace)).map(({ id }) => id)).toEqual(expected);
    }
  });

  test("returns the caller's role and the member count of each", async () => {
    const guest = await newMember(ada, 'VIEWER');

    expect(await list(guest)).toEqual([
      expect.objectContaining({ id: guest.organizationId, role: 'OWNER', memberCount: 1 }),
      expect.objectContaining({
        id: ada.organizationId,
        name: 'First of Ada',
        role: 'VIEWER',
        memberCount: 2,
      }),
    ]);
  });

  test('omits organizations immediately after they are left or deleted', async () => {
    const grace = await newMember(ada, 'MEMBER');
    const made = await create(grace, 'Made to be deleted');

    const params = { organization_id: ada.organizationId };
    await call(leaveOrganization, { params, token: grace.token });
    expect((await list(grace)).map(({ id }) => id)).toEqual([made, grace.organizationId]);

    await call(deleteOrganization, { params: { organization_id: made }, token: grace.token });
    expect((await list(grace)).map(({ id }) => id)).toEqual([grace.organizationId]);
  });
});

describe('access', () => {
  test("returns only the caller's organizations", async () => {
    const stranger = await newAccount();

    expect((await list(stranger)).map(({ id }) => id)).toEqual([stranger.organizationId]);
  });
});
