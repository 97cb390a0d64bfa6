import { beforeEach, describe, expect, test, vi } from 'vitest';
import { minuteMs, now, setClock } from '#lib/platform/clock.ts';
import { createApiKey, listApiKeys, revokeApiKey } from '#schemas/api-keys.ts';
import { createCampaign, updateCampaign } from '#schemas/campaigns.ts';
import { getScrapedMetrics } from '#schemas/health.ts';
import { createPipeline } from '#schemas/leads.ts';
import {
  createOrganizationWebhook,
  listOrganizationWebhooks,
  updateOrganizationWebhook,
} from '#schemas/organization-webhooks.ts';
import {
  deleteOrganization,
  getOrganization,
  inviteMember,
  listAuditLog,
  listInvitations,
  listMembers,
  listOrganizations,
  removeMember,
  updateMemberRole,
  updateOrganization,
} from '#schemas/organizations.ts';
import { listSocialAccounts } from '#schemas/social.ts';
import { newKey, type World } from '#scripts/fixtures/world.ts';
import { newOffice } from '#tests/integration/campaigns/setup.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import { mailsTo } from '#tests/support/mails.ts';
import { ask } from '#tests/support/registry/ask.ts';
import { newWorld } from '#tests/support/registry/world.ts';

const receiver = 'https://hooks.example.com/events';
const needsPerson = {
  status: 403,
  body: { message: 'This endpoint needs a signed-in user', code: 'PERSON_REQUIRED' },
};

let world: World;

beforeEach(async () => {
  world = await newWorld();
});

const rename = (token: string) => ask(world, updateOrganization, { token, body: { name: 'New' } });
const scrape = (token: string) =>
  ask(world, getScrapedMetrics, { token, params: { scraper_format: 'prometheus' } });
const read = (token: string) => ask(world, getOrganization, { token });

function member(role: 'ADMIN' | 'MEMBER' | 'VIEWER') {
  return { user_id: world.people[role].userId };
}

describe('an API key', () => {
  test('acts in its organization, also if the path contains none', async () => {
    const { key } = await newKey(world, 'VIEWER');
    const other = await newWorld();

    expect((await read(key)).body.organization).toMatchObject({ role: 'VIEWER' });
    expect((await ask(world, listSocialAccounts, { token: key })).status).toBe(200);
    expect((await scrape(key)).status).toBe(200);
    const headers = { 'x-organization-id': other.organizationId };
    expect((await ask(world, listSocialAccounts, { token: key, headers })).status).toBe(404);
    expect((await ask(other, getOrganization, { token: key })).status).toBe(404);
  });

  test('lists only its own organization', async () => {
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

  test('is revoked with its creator, and leaves the count', async () => {
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

  test('ends immediately when it is revoked, and when its organization is deleted', async () => {
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

  test('updates its last use every 15 minutes', async () => {
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

  test('appears in the audit log', async () => {
    const { key, apiKey } = await newKey(world, 'ADMIN');
    await rename(key);

    const [entry] = (await ask(world, listAuditLog)).body.entries;

    expect(entry).toMatchObject({
      action: 'organization.updated',
      actorId: world.people.OWNER.userId,
      actorApiKeyId: apiKey.apiKeyId,
    });
  });

  test('cannot invite, promote or remove anybody', async () => {
    const { key: token } = await newKey(world, 'ADMIN');
    const email = freshEmail();

    for (const answer of [
      await ask(world, inviteMember, { token, body: { email, role: 'ADMIN' } }),
      await ask(world, updateMemberRole, {
        token,
        params: member('VIEWER'),
        body: { role: 'ADMIN' },
      }),
      await ask(world, removeMember, { token, params: member('VIEWER') }),
    ]) {
      expect(answer).toMatchObject(needsPerson);
    }
    expect(await mailsTo(email)).toEqual([]);
    const { invitations } = (await ask(world, listInvitations, { token })).body;
    expect(invitations).toEqual([]);
    expect((await ask(world, listMembers, { token })).body.total).toBe(4);
  });

  test('cannot create webhooks', async () => {
    const { key: token } = await newKey(world, 'ADMIN');
    const url = 'https://thief.example/events';
    const { webhook } = (
      await ask(world, createOrganizationWebhook, { body: { url: receiver, events: ['*'] } })
    ).body;
    const params = { webhook_id: webhook.id };
    const patch = (body: object) => ask(world, updateOrganizationWebhook, { token, params, body });

    expect(await patch({ url })).toMatchObject(needsPerson);
    expect((await patch({ url: receiver, isActive: false })).status).toBe(200);
    expect((await ask(world, listOrganizationWebhooks, { token })).body.webhooks).toMatchObject([
      { url: receiver, isActive: false },
    ]);
  });

  test("cannot set a campaign's webhook, but may send it back unchanged", async () => {
    const { ask: askOffice, parts, newCampaign } = await newOffice();
    const created = await askOffice(createApiKey, { body: { name: 'Sync', role: 'ADMIN' } });
    const token = created.body.key;
    const { id } = await newCampaign({ webhookUrl: receiver });
    const patch = (body: object) =>
      askOffice(updateCampaign, { token, params: { campaign_id: id }, body });

    const body = { ...parts, webhookUrl: receiver };
    expect(await askOffice(createCampaign, { token, body })).toMatchObject(needsPerson);
    expect((await askOffice(createCampaign, { token, body: parts })).status).toBe(201);
    expect(await patch({ webhookUrl: 'https://thief.example/events' })).toMatchObject(needsPerson);
    expect(await patch({ webhookUrl: null })).toMatchObject(needsPerson);
    const { campaign } = (await patch({ name: 'Renamed', webhookUrl: receiver })).body;
    expect(campaign).toMatchObject({ name: 'Renamed', webhookSecret: null });
  });

  test('has its own request limit', async () => {
    vi.stubEnv('REQUEST_LIMIT_PER_USER', '3');
    const [one, other] = [await newKey(world, 'VIEWER'), await newKey(world, 'VIEWER')];
    const statuses = [];
    for (const { key } of [one, one, one, one, other]) {
      statuses.push((await read(key)).status);
    }

    expect(statuses).toEqual([200, 200, 200, 429, 200]);
    expect((await read(world.people.OWNER.token)).status).toBe(200);
  });

  test('has its own Idempotency-Keys', async () => {
    const [one, other] = [await newKey(world, 'ADMIN'), await newKey(world, 'ADMIN')];
    const body = { name: 'Follow-ups' };
    const headers = { 'idempotency-key': 'same' };
    const [first, again, others] = [
      await ask(world, createPipeline, { token: one.key, body, headers }),
      await ask(world, createPipeline, { token: one.key, body, headers }),
      await ask(world, createPipeline, { token: other.key, body, headers }),
    ];

    expect(again.body.pipeline.id).toBe(first.body.pipeline.id);
    expect(others.body.pipeline.id).not.toBe(first.body.pipeline.id);
  });
});
