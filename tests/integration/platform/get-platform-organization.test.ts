import { expect, test } from 'vitest';
import { getPlatformOrganization } from '#schemas/operators.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { operate } from './setup.ts';

test('getPlatformOrganization shows the organization of a signup', async () => {
  const { organizationId } = await newAccount();
  const params = { organization_id: organizationId };
  const { body } = await operate(getPlatformOrganization, { params });

  expect(body.organization).toMatchObject({ id: organizationId, externalId: null, memberCount: 1 });
});

test('getPlatformOrganization returns 404 for an unknown organization', async () => {
  const params = { organization_id: crypto.randomUUID() };
  const { status, body } = await operate(getPlatformOrganization, { params });

  expect([status, body.code]).toEqual([404, 'ORGANIZATION_NOT_FOUND']);
});
