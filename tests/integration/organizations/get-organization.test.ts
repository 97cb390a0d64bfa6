import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/platform/ids.ts';
import { roles } from '#schemas/contract.ts';
import { createOrganization, getOrganization } from '#schemas/organizations.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { organizationWith } from '#tests/support/organizations.ts';

let ada: Account;
let grace: Account;

beforeAll(async () => {
  ada = await newAccount();
  grace = await newAccount();
});

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

describe('invalid input', () => {
  test('returns 400 naming the parameter for an invalid id', async () => {
    const { status, body } = await read('first', ada);

    expect(status).toBe(400);
    expect(body.message).toEqual(['organization_id must be a valid UUID']);
  });
});

describe('access', () => {
  test('answers a non-member as if the organization did not exist', async () => {
    const [foreign, unknown] = [await read(grace.organizationId, ada), await read(newId(), ada)];

    expect(foreign.status).toBe(404);
    expect(foreign.body.message).toBe("Organization not found or you don't have access");
    expect(JSON.stringify(foreign.body)).toBe(JSON.stringify(unknown.body));
  });
});
