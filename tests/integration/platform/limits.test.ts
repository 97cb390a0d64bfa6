import { describe, expect, test } from 'vitest';
import { createApiKey } from '#schemas/api-keys.ts';
import { createPipeline } from '#schemas/leads.ts';
import {
  getPlatformOrganization,
  submitSignInLink,
  updatePlatformOrganization,
} from '#schemas/operators.ts';
import { quotas } from '#schemas/quotas.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { newLink, onboard, operate } from './setup.ts';

type Params = { readonly organization_id: string };

function limit(params: Params, limits: object) {
  return operate(updatePlatformOrganization, { params, body: { limits } });
}

function addPipeline(params: Params, token: string) {
  return call(createPipeline, { params, token, body: { name: crypto.randomUUID() } });
}

describe('limits of an organization', () => {
  test("are shown, and equal the service's limits by default", async () => {
    const { params, organization } = await onboard();
    const limited = await limit(params, { agents: 3, bioLinks: 0 });
    const shown = await operate(getPlatformOrganization, { params });

    expect(organization.limits).toMatchObject({
      members: quotas.members.limit,
      agents: quotas.agents.limit,
    });
    expect(shown.body).toMatchObject({ organization: limited.body.organization });
    expect(shown.body.organization.limits).toMatchObject({
      agents: 3,
      bioLinks: 0,
      members: quotas.members.limit,
    });
  });

  test('apply to concurrent requests, and until null removes them', async () => {
    const { params, key } = await onboard();
    await limit(params, { pipelines: 3 });
    const answers = await Promise.all(Array.from({ length: 10 }, () => addPipeline(params, key)));
    const created = answers.filter(({ status }) => status === 201);
    const refused = answers.find(({ status }) => status === 409);

    // One pipeline exists from the start.
    expect(created).toHaveLength(2);
    expect(refused?.body).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      message: 'An organization can have at most 3 pipelines',
      quota: { name: 'pipelines', limit: 3 },
    });
    await limit(params, { pipelines: null });
    expect((await addPipeline(params, key)).status).toBe(201);
  });

  test('keep existing records, and allow no more', async () => {
    const { organizationId, token } = await newAccount();
    const params = { organization_id: organizationId };
    const body = { name: 'Sync', role: 'VIEWER' };
    await call(createApiKey, { params, token, body });
    await limit(params, { apiKeys: 0 });

    expect((await call(createApiKey, { params, token, body })).body.quota.limit).toBe(0);
  });

  test('apply to members who join through a link', async () => {
    const { params } = await onboard();
    await limit(params, { members: 1 });
    const open = async () => {
      const token = await newLink(params);

      return (await call(submitSignInLink, { params: { token } })).status;
    };

    expect([await open(), await open()]).toEqual([302, 409]);
  });

  test("cannot exceed the service's limits", async () => {
    const { params } = await onboard();
    const above = await limit(params, { members: quotas.members.limit + 1 });

    expect(above.body.message).toEqual([
      `limits.members must not be greater than ${quotas.members.limit}`,
    ]);
    expect((await limit(params, { members: -1 })).status).toBe(400);
  });
});
