import { describe, expect, test } from 'vitest';
import { hashToken } from '#lib/platform/crypto/one-time-token.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { logIn } from '#schemas/auth.ts';
import { getBalance } from '#schemas/billing.ts';
import { createLead } from '#schemas/leads.ts';
import {
  createPlatformOrganization,
  getPlatformOrganization,
  listPlatformOrganizations,
} from '#schemas/operators.ts';
import { getOrganization, listAuditLog, listOrganizations } from '#schemas/organizations.ts';
import { newAccount, password } from '#tests/support/accounts.ts';
import { call, freshIp } from '#tests/support/api.ts';
import { newCustomer, onboard, operate } from './setup.ts';

describe('creating an organization with an operator key', () => {
  test('creates an organization without members, whose API key works', async () => {
    const externalId = crypto.randomUUID();
    const { organizationId, organization, key, params } = await onboard({
      externalId,
      credits: 50,
    });
    const [own, listed] = await Promise.all([
      call(getOrganization, { params, token: key }),
      call(listOrganizations, { token: key }),
    ]);
    const got = await operate(getPlatformOrganization, { params });

    expect(organization).toEqual({
      ...newCustomer,
      id: organizationId,
      externalId,
      memberCount: 0,
      suspendedAt: null,
      suspensionReason: null,
      limits: expect.any(Object),
      createdAt: expect.any(String),
      updatedAt: organization.createdAt,
    });
    expect(own.body.organization).toMatchObject({ id: organizationId, role: 'ADMIN' });
    expect(listed.body.organizations).toHaveLength(1);
    expect(got.body.organization).toEqual(organization);
    expect(await get(keys.balance(organizationId))).toMatchObject({
      credits: 50,
      available: 50,
    });
  });

  test('stores only the hash of the key, which has no creator', async () => {
    const answer = await operate(createPlatformOrganization, { body: newCustomer });
    const { apiKey } = answer.body;
    const stored = await get(keys.apiKey(hashToken(apiKey.key)));

    expect(apiKey).toMatchObject({ role: 'ADMIN', createdById: null });
    expect(JSON.stringify(stored)).not.toContain(apiKey.key);
  });

  test('has no access to billing with its key', async () => {
    const { key } = await onboard({ credits: 10 });

    expect((await call(getBalance, { token: key })).body.code).toBe('BILLING_NOT_SET_UP');
  });

  test("stores the operator's key in the audit log, and nobody for changes by the API key", async () => {
    const { key, params } = await onboard();
    await call(createLead, { params, token: key, body: { contact: { email: 'a@example.com' } } });
    const { body } = await call(listAuditLog, { params, token: key });

    expect(body.entries).toEqual([
      expect.objectContaining({
        action: 'organization.created',
        actorId: null,
        actorApiKeyId: null,
        actorOperatorKeyId: 'local',
      }),
    ]);
  });

  test('gives an external id to exactly one of 20 concurrent requests', async () => {
    const externalId = crypto.randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        operate(createPlatformOrganization, { body: { ...newCustomer, externalId } }),
      ),
    );
    const created = answers.filter(({ status }) => status === 201);
    const found = await operate(listPlatformOrganizations, { query: { externalId } });

    expect(created).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.code))).toEqual(
      new Set([undefined, 'EXTERNAL_ID_TAKEN']),
    );
    expect(found.body.organizations).toEqual([created[0]?.body.organization]);
  });

  test.each([
    [{ name: undefined }, 'name'],
    [{ timezone: undefined }, 'timezone'],
    [{ timezone: 'Mars/Base' }, 'timezone'],
    [{ externalId: '' }, 'externalId'],
    [{ externalId: 'x'.repeat(256) }, 'externalId'],
    [{ credits: -1 }, 'credits'],
    [{ credits: 1.5 }, 'credits'],
  ])('rejects %j', async (wrong, field) => {
    const body = { ...newCustomer, ...wrong };
    const answer = await operate(createPlatformOrganization, { body });

    expect([answer.status, answer.body.issues?.[0]?.path]).toEqual([400, field]);
  });
});

describe("an operator's key", () => {
  test('counts as a failed sign-in of the address if it is wrong', async () => {
    const ip = freshIp();
    const wrong = `slo_${'M'.repeat(43)}`;
    const { email } = await newAccount();
    const attempt = () => call(listPlatformOrganizations, { token: wrong, ip });
    process.env.LOGIN_LIMIT_PER_IP = '2';
    const answers = [await attempt(), await attempt(), await attempt()];
    const signIn = await call(logIn, { body: { email, password }, ip });

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 429]);
    expect(signIn.status).toBe(429);
    expect((await operate(listPlatformOrganizations, { ip })).status).toBe(200);
  });
});
