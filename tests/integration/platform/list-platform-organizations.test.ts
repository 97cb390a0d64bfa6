import { beforeAll, expect, test } from 'vitest';
import { listPlatformOrganizations } from '#schemas/operators.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { emptyTable } from '#tests/support/table.ts';
import { onboard, operate } from './setup.ts';

let ids: readonly string[];

beforeAll(async () => {
  await emptyTable();
  const first = await onboard({ externalId: 'first' });
  const { organizationId } = await newAccount();
  const last = await onboard();
  ids = [last.organizationId, organizationId, first.organizationId];
});

async function list(query: Readonly<Record<string, string>>) {
  const { body } = await operate(listPlatformOrganizations, { query });

  return {
    ids: body.organizations.map(({ id }: { id: string }) => id),
    pagination: body.pagination,
  };
}

test('listPlatformOrganizations lists all organizations, newest first, including those from signups', async () => {
  expect(await list({})).toMatchObject({ ids, pagination: { total: 3, hasMore: false } });
});

test('listPlatformOrganizations returns pages by number and by cursor', async () => {
  const first = await list({ limit: '2' });
  const second = await list({ limit: '2', cursor: first.pagination.nextCursor });

  expect([...first.ids, ...second.ids]).toEqual(ids);
  expect((await list({ limit: '1', page: '2' })).ids).toEqual(ids.slice(1, 2));
});

test('listPlatformOrganizations finds an organization by its external id', async () => {
  expect(await list({ externalId: 'first' })).toMatchObject({
    ids: ids.slice(2),
    pagination: { total: 1 },
  });
  expect(await list({ externalId: 'unknown' })).toMatchObject({
    ids: [],
    pagination: { total: 0 },
  });
});
