import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  acceptInvitation,
  createOrganization,
  declineInvitation,
  leaveOrganization,
  listAuditLog,
  removeMember,
  revokeInvitation,
  updateMemberRole,
  updateOrganization,
} from '#schemas/organizations.ts';
import { freshEmail, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { depth } from '#tests/support/depth.ts';
import { inviteByMail, organizationWith } from '#tests/support/organizations.ts';

const [ada, grace] = [await newAccount(), await newAccount()];

type Query = Readonly<Record<string, string>>;

function log(organizationId: string, query: Query = {}, { token } = ada) {
  return call(listAuditLog, { params: { organization_id: organizationId }, query, token });
}

/** Creates an organization with this many audit log entries: its creation, then name changes. */
async function organizationWithEntries(entries: number): Promise<string> {
  const organizationId = await organizationWith(ada);
  for (let number = 2; number <= entries; number += 1) {
    await call(updateOrganization, {
      params: { organization_id: organizationId },
      body: { industry: `Industry ${number}` },
      token: ada.token,
    });
  }

  return organizationId;
}

async function followCursors(organizationId: string, limit: number) {
  const pages: Array<readonly string[]> = [];
  let cursor: string | null = null;
  do {
    const query: Query = { limit: String(limit), ...(cursor ? { cursor } : {}) };
    const { body } = await log(organizationId, query);
    pages.push(body.entries.map(({ id }: { id: string }) => id));
    expect(body.pagination).toMatchObject({ page: pages.length, limit });
    expect(body.pagination.hasMore).toBe(body.pagination.nextCursor !== null);
    cursor = body.pagination.nextCursor;
  } while (cursor);

  return pages;
}

describe('listing audit log entries', () => {
  test('returns every change, newest first, with actor, action and target', async () => {
    const { body: made } = await call(createOrganization, {
      body: { name: 'Engines' },
      token: ada.token,
    });
    const organizationId = made.organization.id;
    const params = { organization_id: organizationId };
    const graces = { ...params, user_id: grace.userId };
    process.env.INVITATION_LIMIT_PER_ADDRESS = '100';
    const invite = (role: 'ADMIN' | 'MEMBER') =>
      inviteByMail(ada, organizationId, { email: grace.email, role });
    await call(updateOrganization, { params, body: { name: 'New', size: null }, token: ada.token });
    const revoked = await invite('ADMIN');
    await call(revokeInvitation, {
      params: { ...params, invitation_id: revoked.id },
      token: ada.token,
    });
    const declined = await invite('ADMIN');
    await call(declineInvitation, { body: { token: declined.token }, token: grace.token });
    const first = await invite('MEMBER');
    await call(acceptInvitation, { body: { token: first.token }, token: grace.token });
    await call(updateMemberRole, { params: graces, body: { role: 'ADMIN' }, token: ada.token });
    await call(leaveOrganization, { params, token: grace.token });
    const second = await invite('MEMBER');
    await call(acceptInvitation, { body: { token: second.token }, token: grace.token });
    await call(removeMember, { params: graces, token: ada.token });

    const { body } = await log(organizationId, { limit: '100' });

    const [a, g] = [ada.userId, grace.userId];
    const shown = body.entries.map(
      (entry: Readonly<Record<string, string>>) =>
        [entry.action, entry.actorId, entry.targetType, entry.targetId] as const,
    );
    expect(shown).toEqual([
      ['member.removed', a, 'member', g],
      ['member.joined', g, 'member', g],
      ['member.invited', a, 'invitation', second.id],
      ['member.left', g, 'member', g],
      ['member.role_changed', a, 'member', g],
      ['member.joined', g, 'member', g],
      ['member.invited', a, 'invitation', first.id],
      ['invitation.declined', g, 'invitation', declined.id],
      ['member.invited', a, 'invitation', declined.id],
      ['invitation.revoked', a, 'invitation', revoked.id],
      ['member.invited', a, 'invitation', revoked.id],
      ['organization.updated', a, 'organization', organizationId],
      ['organization.created', a, 'organization', organizationId],
    ]);
    expect(body.pagination).toEqual({
      total: 13,
      page: 1,
      limit: 100,
      hasMore: false,
      nextCursor: null,
    });
    expect(body.entries[4].details).toMatchObject({ from: 'MEMBER', to: 'ADMIN' });
    expect(body.entries[11].details).toEqual({ fields: ['name', 'size'] });
    expect(JSON.stringify(body)).not.toContain(first.token);
  });

  test('omits rejected changes', async () => {
    const organizationId = await organizationWith(ada, [[grace, 'MEMBER']]);
    const graces = { organization_id: organizationId, user_id: grace.userId };

    await call(leaveOrganization, { params: graces, token: ada.token });
    await call(updateMemberRole, { params: graces, body: { role: 'ADMIN' }, token: grace.token });
    await call(updateMemberRole, { params: graces, body: { role: 'MEMBER' }, token: ada.token });

    expect((await log(organizationId)).body.pagination.total).toBe(1);
  });

  test('returns the same entries, each once, by page number and by cursor', async () => {
    const organizationId = await organizationWithEntries(23);
    const { body: all } = await log(organizationId, { limit: '100' });
    const ids = all.entries.map(({ id }: { id: string }) => id);

    const pages = await Promise.all(
      ['1', '2', '3', '4'].map((page) => log(organizationId, { page, limit: '10' })),
    );

    expect(pages.map(({ body }) => body.entries.map(({ id }: { id: string }) => id))).toEqual([
      ids.slice(0, 10),
      ids.slice(10, 20),
      ids.slice(20),
      [],
    ]);
    expect(pages.map(({ body }) => body.pagination)).toMatchObject([
      { total: 23, page: 1, limit: 10, hasMore: true },
      { total: 23, page: 2, limit: 10, hasMore: true },
      { total: 23, page: 3, limit: 10, hasMore: false, nextCursor: null },
      { total: 23, page: 4, limit: 10, hasMore: false, nextCursor: null },
    ]);
    for (const limit of [1, 5, 23]) {
      const followed = await followCursors(organizationId, limit);
      expect(followed.flat()).toEqual(ids);
      expect(followed).toHaveLength(Math.ceil(23 / limit));
    }
    expect((await log(organizationId)).body.entries).toHaveLength(10);
  });

  test('continues from the cursor position despite later writes', async () => {
    const organizationId = await organizationWithEntries(6);
    const { body: first } = await log(organizationId, { limit: '3' });
    await call(updateOrganization, {
      params: { organization_id: organizationId },
      body: { name: 'Meanwhile' },
      token: ada.token,
    });

    const cursor = first.pagination.nextCursor;
    const { body: second } = await log(organizationId, { limit: '3', cursor });

    const ids = [...first.entries, ...second.entries].map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(6);
    expect(second.pagination).toMatchObject({ total: 7, page: 2, hasMore: false });
  });
});

describe('invalid pagination', () => {
  test('rejects a page combined with a cursor', async () => {
    const organizationId = await organizationWithEntries(3);
    const { body: first } = await log(organizationId, { limit: '1' });

    const { status, body } = await log(organizationId, {
      page: '2',
      cursor: first.pagination.nextCursor,
    });

    expect([status, body.message]).toEqual([400, ['page cannot be combined with cursor']]);
  });

  test('rejects a cursor from another organization', async () => {
    const [own, other] = [await organizationWithEntries(3), await organizationWithEntries(3)];
    const { body: foreign } = await log(other, { limit: '1' });

    const { status, body } = await log(own, { cursor: foreign.pagination.nextCursor });

    expect([status, body.message]).toEqual([
      400,
      ['cursor must be the nextCursor of a previous page of this list'],
    ]);
  });

  test.each([
    ['limit', '0'],
    ['limit', '101'],
    ['limit', '-1'],
    ['limit', '1e1'],
    ['limit', ''],
    ['page', '0'],
    ['page', '-1'],
    ['page', '1.5'],
    ['page', '10abc'],
    ['page', '1000001'],
    ['cursor', ''],
    ['cursor', 'nonsense'],
    ['cursor', 'a cursor of 1,001 characters', 'x'.repeat(1_001)],
  ])('returns 400 with the parameter for %s=%s', async (field, described, value = described) => {
    const { status, body } = await log(ada.organizationId, { [field]: value });

    expect(status).toBe(400);
    expect(body.message).toEqual([expect.stringMatching(new RegExp(`^${field} `))]);
  });

  test.each([
    ['a page above the safe integer range', 1, Number.MAX_SAFE_INTEGER],
    ['a page below 1', 1, 0],
    ['a key with a lone surrogate', 0, 'AUDIT#\ud800'],
    ['a key outside the list', 0, 'MEMBER#'],
  ])('rejects a cursor containing %s', async (_, index, value) => {
    const organizationId = await organizationWithEntries(2);
    const { body: first } = await log(organizationId, { limit: '1' });
    const real: unknown[] = JSON.parse(
      Buffer.from(first.pagination.nextCursor, 'base64url').toString(),
    );

    const forged = Buffer.from(JSON.stringify(real.with(index, value))).toString('base64url');

    expect((await log(organizationId, { cursor: forged })).status).toBe(400);
  });

  test('rejects a forged cursor or returns only entries of this list', async () => {
    const organizationId = await organizationWithEntries(3);
    const { body: first } = await log(organizationId, { limit: '1' });
    const real: unknown[] = JSON.parse(
      Buffer.from(first.pagination.nextCursor, 'base64url').toString(),
    );
    const part = fc.oneof(
      fc.constantFrom('AUDIT#', 'AUDIT#\uffff', 'AUDIT#\ud800', 'AUDIT#\u0000', 'MEMBER#', 'ORG'),
      fc.constantFrom(0, 1, -1, 1.5, Number.MAX_SAFE_INTEGER, null),
      fc.json(),
    );
    const forged = fc
      .tuple(fc.nat(real.length - 1), part)
      .map(([index, value]) => real.with(index, value));

    await fc.assert(
      fc.asyncProperty(fc.oneof(forged, fc.array(part), part), async (content) => {
        const cursor = Buffer.from(JSON.stringify(content)).toString('base64url').slice(0, 1_000);
        const { status, body } = await log(organizationId, { cursor });
        expect([200, 400]).toContain(status);
        expect(JSON.stringify(body)).not.toContain('MEMBER#');
      }),
      // The edges of the list's key range, which DynamoDB rejects as a start key.
      {
        numRuns: depth(60),
        examples: [[real.with(0, 'AUDIT#')], [real.with(0, 'AUDIT#\uffff')]],
      },
    );
  });
});

describe('concurrent changes', () => {
  test('reports the exact total after fifty concurrent changes', async () => {
    const organizationId = await organizationWith(ada);

    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        call(updateOrganization, {
          params: { organization_id: organizationId },
          body: { size: String(index) },
          token: ada.token,
        }),
      ),
    );

    const pages = await followCursors(organizationId, 20);
    expect(new Set(pages.flat()).size).toBe(51);
    expect((await log(organizationId)).body.pagination.total).toBe(51);
  });
});

describe('access', () => {
  test.each([
    ['OWNER', 200],
    ['ADMIN', 200],
    ['MEMBER', 403],
    ['VIEWER', 403],
  ] as const)('answers %s with status %i', async (role, expected) => {
    const organizationId = await organizationWith(ada, [[grace, role]]);

    const { status, body } = await log(organizationId, {}, grace);

    expect([status, body.message]).toEqual([
      expected,
      expected === 200
        ? 'Audit log retrieved successfully'
        : 'Only owners and admins can see the audit log',
    ]);
  });

  test('shows invitation mails with their recipient only to owners and admins', async () => {
    const organizationId = await organizationWith(ada);
    const email = freshEmail();
    await inviteByMail(ada, organizationId, { email, role: 'VIEWER' });

    const { body } = await log(organizationId, { limit: '1' });

    expect(body.entries[0].details).toEqual({ email, role: 'VIEWER' });
  });
});
