import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { Contract } from '#schemas/contract.ts';
import {
  getOrganization,
  inviteMember,
  leaveOrganization,
  listAuditLog,
  listInvitations,
  listMembers,
  removeMember,
  updateMemberRole,
  updateOrganization,
} from '#schemas/organizations.ts';
import { freshEmail, newAccount } from '#tests/support/accounts.ts';
import { type CallInput, call } from '#tests/support/api.ts';
import { organizationWith } from '#tests/support/organizations.ts';

// Many runs with several calls each, which are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const tries = 50;

const [ada, grace] = [await newAccount(), await newAccount()];

type Probe = readonly [contract: Contract, body?: CallInput['body']];

const forMembers: readonly Probe[] = [[getOrganization], [listMembers]];
const forAdmins: readonly Probe[] = [
  [updateOrganization, { name: 'Taken over' }],
  [listInvitations],
  [listAuditLog],
  [inviteMember, { email: freshEmail(), role: 'VIEWER' }],
];

function sample(probes: readonly Probe[]): readonly Probe[] {
  return fc.sample(fc.constantFrom(...probes), tries);
}

/**
 * Sends two requests while the change runs, which may succeed or fail. Returns the status of a
 * request afterwards.
 */
async function probeAround(
  organizationId: string,
  [contract, body]: Probe,
  change: () => Promise<{ readonly status: number }>,
): Promise<number> {
  const probe = () =>
    call(contract, {
      params: { organization_id: organizationId },
      token: grace.token,
      ...(body ? { body } : {}),
    });
  const beside = [probe(), probe()];
  expect((await change()).status).toBe(200);
  const after = await probe();
  await Promise.all(beside);

  return after.status;
}

test('after a removal, the old token is rejected, in 50 of 50 tries', async () => {
  for (const probe of sample([...forMembers, ...forAdmins])) {
    const organizationId = await organizationWith(ada, [[grace, 'ADMIN']]);
    const params = { organization_id: organizationId, user_id: grace.userId };

    const status = await probeAround(organizationId, probe, () =>
      call(removeMember, { params, token: ada.token }),
    );

    expect(status).toBe(404);
  }
});

test('after a demotion, the old token has the lower role, in 50 of 50 tries', async () => {
  for (const probe of sample(forAdmins)) {
    const organizationId = await organizationWith(ada, [[grace, 'ADMIN']]);
    const params = { organization_id: organizationId, user_id: grace.userId };

    const status = await probeAround(organizationId, probe, () =>
      call(updateMemberRole, { params, body: { role: 'MEMBER' }, token: ada.token }),
    );

    expect(status).toBe(403);
  }
});

test('after leaving, a member counts as a non-member on the next request', async () => {
  for (const probe of sample(forMembers).slice(0, 10)) {
    const organizationId = await organizationWith(ada, [[grace, 'OWNER']]);

    const status = await probeAround(organizationId, probe, () =>
      call(leaveOrganization, { params: { organization_id: organizationId }, token: grace.token }),
    );

    expect(status).toBe(404);
  }
});
