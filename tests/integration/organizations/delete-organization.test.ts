import { describe, expect, test, vi } from 'vitest';
import { keys } from '#lib/platform/db/keys.ts';
import { getMe, signUp } from '#schemas/auth.ts';
import { type Contract, roles } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import {
  acceptInvitation,
  deleteOrganization,
  getOrganization,
  inviteMember,
  listOrganizations,
} from '#schemas/organizations.ts';
import { freshEmail, newAccount, signUpBody } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { depth } from '#tests/support/depth.ts';
import { mailsTo, tokenIn } from '#tests/support/mails.ts';
import { inviteByMail, organizationWith } from '#tests/support/organizations.ts';
import { removeDeleted } from '#tests/support/removal.ts';
import { storedItems } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';

// Many runs with several calls each, which are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const gone = "Organization not found or you don't have access";

const ada = await newAccount();
const crew = {
  ADMIN: await newAccount(),
  MEMBER: await newAccount(),
  VIEWER: await newAccount(),
};

function organizationOfAll(): Promise<string> {
  return organizationWith(ada, [
    [crew.ADMIN, 'ADMIN'],
    [crew.MEMBER, 'MEMBER'],
    [crew.VIEWER, 'VIEWER'],
  ]);
}

function remove(organizationId: string, { token } = ada) {
  return call(deleteOrganization, { params: { organization_id: organizationId }, token });
}

const scoped: readonly Contract[] = endpoints.filter(
  ({ access }) => access.kind === 'member' && access.organization === 'path',
);

describe('deleting an organization', () => {
  test.each(roles)(
    'revokes access to every endpoint immediately for a member with the role %s',
    async (role) => {
      const organizationId = await organizationOfAll();
      const member = role === 'OWNER' ? ada : crew[role];

      const { status, body } = await remove(organizationId);

      expect([status, body.message]).toEqual([200, 'Organization deleted successfully']);
      for (const contract of scoped) {
        const names = Object.keys(contract.params?.shape ?? {});
        const params = {
          ...Object.fromEntries(names.map((name) => [name, ada.userId])),
          organization_id: organizationId,
        };
        const answer = await call(contract, {
          params,
          token: member.token,
          ...(contract.body ? { body: {} } : {}),
        });
        expect([contract.operationId, answer.status, answer.body.message]).toEqual([
          contract.operationId,
          404,
          gone,
        ]);
      }
      const listed = await call(listOrganizations, { token: member.token });
      expect(JSON.stringify(listed.body)).not.toContain(organizationId);
      const me = await call(getMe, { token: member.token });
      expect(JSON.stringify(me.body)).not.toContain(organizationId);
      const selected = await call(getMe, {
        token: member.token,
        headers: { 'x-organization-id': organizationId },
      });
      expect(selected.status).toBe(404);
    },
  );

  test('falls back to the oldest membership when the current organization is deleted', async () => {
    const grace = await newAccount();
    const second = await organizationWith(grace);

    await remove(grace.organizationId, grace);

    const { body } = await call(getMe, { token: grace.token });
    expect(body.user.currentOrganization.id).toBe(second);
    await remove(second, grace);
    const { body: alone } = await call(getMe, { token: grace.token });
    expect(alone.user).toMatchObject({ currentOrganization: null, organizations: [] });
  });

  test('returns 404 on a second deletion, before and after the removal job finishes', async () => {
    const organizationId = await organizationOfAll();
    await remove(organizationId);

    expect((await remove(organizationId)).status).toBe(404);
    await drainWork();
    expect((await remove(organizationId)).status).toBe(404);
  });

  test('succeeds once for ten concurrent requests', async () => {
    const organizationId = await organizationOfAll();

    const answers = await Promise.all(Array.from({ length: 10 }, () => remove(organizationId)));

    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 404)).toHaveLength(9);
    const items = await storedItems(keys.organization(organizationId).pk);
    const removals = items.filter(({ sk }) => sk.startsWith('OUTBOX#organizationRemoval#'));
    expect(removals).toHaveLength(1);
    await removeDeleted(organizationId);
  });
});

describe('pending invitations', () => {
  test('cannot be accepted after the deletion', async () => {
    const grace = await newAccount();
    const organizationId = await organizationOfAll();
    const { token } = await inviteByMail(ada, organizationId, {
      email: grace.email,
      role: 'OWNER',
    });
    await remove(organizationId);

    const early = await call(acceptInvitation, { body: { token }, token: grace.token });
    await drainWork();
    const late = await call(acceptInvitation, { body: { token }, token: grace.token });

    expect([early.status, late.status]).toEqual([404, 404]);
    expect(late.body.message).toBe("Invitation not found or you don't have access");
    const { body } = await call(listOrganizations, { token: grace.token });
    expect(body.total).toBe(1);
  });

  test('cannot be used to sign up, and the card is not checked', async () => {
    const email = freshEmail();
    const organizationId = await organizationOfAll();
    const { token } = await inviteByMail(ada, organizationId, { email, role: 'ADMIN' });
    await remove(organizationId);
    await drainWork();

    const { status, body } = await call(signUp, {
      body: signUpBody({ email, invitationToken: token }),
    });

    expect([status, body.message]).toEqual([
      400,
      [expect.stringMatching(/^invitationToken is not valid/)],
    ]);
  });

  test('leave no data behind when people join or are invited during the deletion', async () => {
    const grace = await newAccount();
    for (let run = 0; run < depth(8); run += 1) {
      const organizationId = await organizationOfAll();
      const params = { organization_id: organizationId };
      await call(inviteMember, {
        params,
        body: { email: grace.email, role: 'ADMIN' },
        token: ada.token,
      });
      const token = tokenIn((await mailsTo(grace.email))[0]);

      await Promise.all([
        call(acceptInvitation, { body: { token }, token: grace.token }),
        remove(organizationId),
        call(inviteMember, {
          params,
          body: { email: freshEmail(), role: 'VIEWER' },
          token: crew.ADMIN.token,
        }),
      ]);
      expect((await call(getOrganization, { params, token: grace.token })).status).toBe(404);
      await drainWork();
      await removeDeleted(organizationId);

      expect(JSON.stringify(await storedItems())).not.toContain(organizationId);
      const { body } = await call(listOrganizations, { token: grace.token });
      expect(body.total).toBe(1);
    }
  });
});
