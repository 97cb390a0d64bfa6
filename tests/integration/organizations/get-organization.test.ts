import { describe, expect, test } from 'vitest';
import { roles } from '#schemas/contract.ts';
import { createOrganization, getOrganization } from '#schemas/organizations.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { organizationWith } from '#tests/support/organizations.ts';

const ada = await newAccount();
const grace = await newAccount();

function read(organizationId: string, { token }: Account) {
  return call(getOrganization, { params: { organization_id: organizationId }, token });
}

describe('getting an organization', () => {
  test('returns what was just written, including the settings', async () => {
    const details = { name: 'Engines', description: 'By steam', website: 'https://e.example' };
    const { body: created } = await call(createOrganization, { body: details, token: ada.token });

    const { status, body } = await read(created.organization.id, ada);

    expect(status).toBe(200);
    const { settings, ...rest } = body.organization;
    expect(rest).toEqual(created.organization);
    expect(settings.defaultRole).toBe('MEMBER');
  });

  test.each(roles)("returns the organization and the caller's role to %s", async (role) => {
    const organizationId = await organizationWith(ada, [[grace, role]]);

    const { body } = await read(organizationId, grace);

    expect(body.organization).toMatchObject({ id: organizationId, role, memberCount: 2 });
  });

  test('accepts an uppercase id', async () => {
    expect((await read(ada.organizationId.toUpperCase(), ada)).body.organization.id).toBe(
      ada.organizationId,
    );
  });
});
