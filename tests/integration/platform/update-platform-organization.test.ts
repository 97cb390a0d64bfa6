import { describe, expect, test } from 'vitest';
import { listPlatformOrganizations, updatePlatformOrganization } from '#schemas/operators.ts';
import { listAuditLog } from '#schemas/organizations.ts';
import { call } from '#tests/support/api.ts';
import { onboard, operate } from './setup.ts';

async function countWith(externalId: string): Promise<number> {
  const { body } = await operate(listPlatformOrganizations, { query: { externalId } });

  return body.pagination.total;
}

describe('changing an external id', () => {
  test('frees the former one', async () => {
    const [former, next] = [crypto.randomUUID(), crypto.randomUUID()];
    const { params, key } = await onboard({ externalId: former });
    const body = { externalId: next, name: 'Difference Engines' };
    const changed = await operate(updatePlatformOrganization, { params, body });
    const audit = await call(listAuditLog, { params, token: key });

    expect(changed.body.organization).toMatchObject(body);
    expect([await countWith(former), await countWith(next)]).toEqual([0, 1]);
    expect((await onboard({ externalId: former })).organization.externalId).toBe(former);
    expect(audit.body.entries[0]).toMatchObject({
      action: 'organization.updated',
      actorId: null,
      actorOperatorKeyId: 'local',
      details: { fields: ['name', 'externalId'] },
    });
  });

  test('removes it with null', async () => {
    const externalId = crypto.randomUUID();
    const { params } = await onboard({ externalId });
    const body = { externalId: null };
    const changed = await operate(updatePlatformOrganization, { params, body });

    expect(changed.body.organization.externalId).toBeNull();
    expect(await countWith(externalId)).toBe(0);
  });

  test("rejects another organization's external id", async () => {
    const externalId = crypto.randomUUID();
    await onboard({ externalId });
    const { params } = await onboard();
    const { body } = await operate(updatePlatformOrganization, { params, body: { externalId } });

    expect(body.code).toBe('EXTERNAL_ID_TAKEN');
  });

  test('leaves one claim after concurrent changes', async () => {
    const { params } = await onboard({ externalId: crypto.randomUUID() });
    const wanted = Array.from({ length: 10 }, () => crypto.randomUUID());
    const answers = await Promise.all(
      wanted.map((externalId) =>
        operate(updatePlatformOrganization, { params, body: { externalId } }),
      ),
    );
    const counts = await Promise.all(wanted.map(countWith));

    expect(answers.map(({ status }) => status)).toEqual(wanted.map(() => 200));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
  });
});
