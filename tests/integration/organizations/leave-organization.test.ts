import { describe, expect, test } from 'vitest';
import { roles } from '#schemas/contract.ts';
import { leaveOrganization } from '#schemas/organizations.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { membershipsOf, organizationWith } from '#tests/support/organizations.ts';
import { organizationsOf, transferFirst } from './departures.ts';

const [ada, actor, target] = [await newAccount(), await newAccount(), await newAccount()];

function leave(organizationId: string, { token } = actor) {
  return call(leaveOrganization, { params: { organization_id: organizationId }, token });
}

describe('leaving an organization', () => {
  test.each(roles)('lets %s leave', async (role) => {
    const organizationId = await organizationWith(ada, [[actor, role]]);

    const { status, body } = await leave(organizationId);

    expect([status, body.message]).toEqual([200, 'You have left the organization']);
    expect(await organizationsOf(actor)).not.toContain(organizationId);
    expect((await leave(organizationId)).status).toBe(404);
    expect(await membershipsOf(organizationId)).toMatchObject({
      seats: [`${ada.userId} OWNER`],
      mirroredSeats: [`${ada.userId} OWNER`],
      memberCount: 1,
      ownerCount: 1,
    });
  });

  test.each([
    ['alone', []],
    ['with others', ['ADMIN', 'VIEWER']],
  ] as const)('does not let the last owner leave %s', async (_, others) => {
    const seats = others.map((role, index) => [[actor, target][index] ?? actor, role] as const);
    const organizationId = await organizationWith(ada, seats);

    const { status, body } = await leave(organizationId, ada);

    expect([status, body.message]).toEqual([400, transferFirst]);
    expect(await organizationsOf(ada)).toContain(organizationId);
  });
});
