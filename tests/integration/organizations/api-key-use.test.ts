import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { minuteMs, now, setClock } from '#lib/platform/clock.ts';
import { listApiKeys, revokeApiKey } from '#schemas/api-keys.ts';
import { getScrapedMetrics } from '#schemas/health.ts';
import {
  deleteOrganization,
  getOrganization,
  inviteMember,
  listAuditLog,
  listOrganizations,
  removeMember,
  updateMemberRole,
  updateOrganization,
} from '#schemas/organizations.ts';
import { listSocialAccounts } from '#schemas/social.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import { ask } from '#tests/support/registry/ask.ts';
import { newKey, newWorld, type World } from '#tests/support/registry/world.ts';

let world: World;

beforeEach(async () => {
  world = await newWorld();
});

afterEach(() => {
  setClock();
  vi.unstubAllEnvs();
});

const rename = (token: string) => ask(world, updateOrganization, { token, body: { name: 'New' } });
const scrape = (token: string) =>
  ask(world, getScrapedMetrics, { token, params: { scraper_format: 'prometheus' } });
const read = (token: string) => ask(world, getOrganization, { token });

function member(role: 'ADMIN' | 'MEMBER' | 'VIEWER') {
  return { user_id: world.people[role].userId };
}

describe('an API key', () => {
  test('acts in its organization, also where the path names none', async () => {
    const { key } = await newKey(world, 'VIEWER');
    const other = await newWorld();

    expect((await read(key)).body.organization).toMatchObject({ role: 'VIEWER' });
    expect((await ask(world, listSocialAccounts, { token: key })).status).toBe(200);
    expect((await scrape(key)).status).toBe(200);
    const headers = { 'x-organization-id': other.organizationId };
    expect((await ask(world, listSocialAccounts, { token: key, headers })).status).toBe(404);
    expect((await ask(other, getOrganization, { token: key })).status).toBe(404);
  });

  test('lists its own organization alone', async () => {
    const { key } = await newKey(world, 'MEMBER');
    const { body } = await ask(world, listOrganizations, { token: key });

    expect(body).toMatchObject({
      organizations: [{ id: world.organizationId, role: 'MEMBER' }],
      total: 1,
    });
  });

  test("follows its creator's role down and up", async () => {
    const { key } = await newKey(world, 'ADMIN', { creator: 'ADMIN' });
    expect((await rename(key)).status).toBe(200);

    await ask(world, updateMemberRole, { params: member('ADMIN'), body: { role: 'VIEWER' } });
    expect([(await rename(key)).status, (await read(key)).status]).toEqual([403, 200]);

    await ask(world, updateMemberRole, { params: member('ADMIN'), body: { role: 'OWNER' } });
    expect((await rename(key)).status).toBe(200);
    expect((await ask(world, deleteOrganization, { token: key })).status).toBe(403);
  });

  test('is revoked with its creator, whose keys leave the count', async () => {
    const [theirs, others] = [
      await newKey(world, 'ADMIN', { creator: 'ADMIN' }),
      await newKey(world, 'ADMIN'),
    ];
    await ask(world, removeMember, { params: member('ADMIN') });

    expect([(await read(theirs.key)).status, (await read(others.key)).status]).toEqual([401, 200]);
    expect((await ask(world, listApiKeys)).body.total).toBe(1);
    const [removed] = (await ask(world, listAuditLog)).body.entries;
    expect(removed).toMatchObject({ action: 'member.removed', details: { revokedApiKeys: 1 } });
  });

  test('never survives the concurrent removal of its creator', async () => {
    const [created] = await Promise.allSettled([
      newKey(world, 'VIEWER', { creator: 'ADMIN' }),
      ask(world, removeMember, { params: member('ADMIN') }),
    ]);

    const key = created.status === 'fulfilled' ? created.value.key : 'not created';
    expect((await read(key)).status).toBe(401);
    expect((await ask(world, listApiKeys)).body.total).toBe(0);
  });

  test('ends at once when it is revoked, and when its organization is deleted', async () => {
    const [first, second] = [await newKey(world, 'VIEWER'), await newKey(world, 'VIEWER')];
    const params = { key_id: first.apiKey.apiKeyId };

    expect((await ask(world, revokeApiKey, { params })).status).toBe(200);
    expect([(await read(first.key)).status, (await read(second.key)).status]).toEqual([401, 200]);
    expect((await ask(world, revokeApiKey, { params })).status).toBe(404);
    await ask(world, deleteOrganization);
    expect((await read(second.key)).status).toBe(401);
  });

  test('is accepted until it expires', async () => {
    const expiresAt = new Date(now() + minuteMs).toISOString();
    const { key } = await newKey(world, 'VIEWER', { expiresAt });
    expect((await read(key)).status).toBe(200);

    setClock(() => Date.parse(expiresAt));

    expect((await read(key)).status).toBe(401);
  });

  test('has a last use that is written every 15 minutes', async () => {
    const { key } = await newKey(world, 'VIEWER');
    const begin = now();
    const lastUsedAfter = async (minutes: number) => {
      setClock(() => begin + minutes * minuteMs);
      await read(key);

      return Date.parse((await ask(world, listApiKeys)).body.apiKeys[0].lastUsedAt) - begin;
    };

    expect(await lastUsedAfter(0)).toBe(0);
    expect(await lastUsedAfter(14)).toBe(0);
    expect(await lastUsedAfter(15)).toBe(15 * minuteMs);
  });

  test('is named in the audit log, and may invite and remove within its role', async () => {
    const { key, apiKey } = await newKey(world, 'ADMIN');
    await rename(key);
    const body = { email: freshEmail(), role: 'MEMBER' };
    expect((await ask(world, inviteMember, { token: key, body })).status).toBe(201);
    expect((await ask(world, removeMember, { token: key, params: member('VIEWER') })).status).toBe(
      200,
    );

    const { entries } = (await ask(world, listAuditLog)).body;

    const by = { actorId: world.people.OWNER.userId, actorApiKeyId: apiKey.apiKeyId };
    expect(entries.slice(0, 3)).toMatchObject([
      { action: 'member.removed', ...by },
      { action: 'member.invited', ...by },
      { action: 'organization.updated', ...by },
    ]);
  });

  test('cannot make its creator leave', async () => {
    const { key } = await newKey(world, 'ADMIN', { creator: 'ADMIN' });
    const answer = await ask(world, removeMember, { token: key, params: member('ADMIN') });

    expect([answer.status, answer.body.message]).toEqual([
      403,
      'This endpoint needs a signed-in user',
    ]);
  });

  test('has a request limit of its own', async () => {
    vi.stubEnv('REQUEST_LIMIT_PER_USER', '3');
    const [one, other] = [await newKey(world, 'VIEWER'), await newKey(world, 'VIEWER')];
    const statuses = [];
    for (const { key } of [one, one, one, one, other]) {
      statuses.push((await read(key)).status);
    }

    expect(statuses).toEqual([200, 200, 200, 429, 200]);
    expect((await read(world.people.OWNER.token)).status).toBe(200);
  });

  test('has Idempotency-Keys of its own', async () => {
    const [one, other] = [await newKey(world, 'ADMIN'), await newKey(world, 'ADMIN')];
    const body = { email: freshEmail(), role: 'MEMBER' };
    const headers = { 'idempotency-key': 'same' };
    const [first, again, others] = [
      await ask(world, inviteMember, { token: one.key, body, headers }),
      await ask(world, inviteMember, { token: one.key, body, headers }),
      await ask(world, inviteMember, { token: other.key, body, headers }),
    ];

    expect(again.body.invitation.id).toBe(first.body.invitation.id);
    expect(others.body.invitation.id).not.toBe(first.body.invitation.id);
  });
});
