import { expect, test } from 'vitest';
import {
  deletePlatformOrganization,
  getPlatformOrganization,
  listPlatformOrganizations,
} from '#schemas/operators.ts';
import { getOrganization } from '#schemas/organizations.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { onboard, operate } from './setup.ts';

test('deletePlatformOrganization ends access immediately, and frees the external id', async () => {
  const externalId = crypto.randomUUID();
  const { params, key } = await onboard({ externalId });
  const before = await operate(listPlatformOrganizations);
  const deleted = await operate(deletePlatformOrganization, { params });
  const after = await operate(listPlatformOrganizations, { query: { limit: '100' } });

  expect(deleted.status).toBe(200);
  expect((await call(getOrganization, { params, token: key })).status).toBe(401);
  expect((await operate(getPlatformOrganization, { params })).status).toBe(404);
  expect((await operate(deletePlatformOrganization, { params })).status).toBe(404);
  expect(after.body.pagination.total).toBe(before.body.pagination.total - 1);
  expect(JSON.stringify(after.body)).not.toContain(params.organization_id);
  expect((await onboard({ externalId })).organization.externalId).toBe(externalId);
});

test('deletePlatformOrganization deletes the organization of a signup', async () => {
  const { organizationId, token } = await newAccount();
  const params = { organization_id: organizationId };

  expect((await operate(deletePlatformOrganization, { params })).status).toBe(200);
  expect((await call(getOrganization, { params, token })).status).toBe(404);
});
