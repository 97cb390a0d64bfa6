import { beforeEach, describe, expect, test } from 'vitest';
import { hashToken } from '#lib/platform/crypto/one-time-token.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { createApiKey, listApiKeys, revokeApiKey } from '#schemas/api-keys.ts';
import { listAuditLog } from '#schemas/organizations.ts';
import type { World } from '#scripts/fixtures/world.ts';
import { ask } from '#tests/support/registry/ask.ts';
import { newWorld } from '#tests/support/registry/world.ts';

let world: World;

beforeEach(async () => {
  world = await newWorld();
});

const body = { name: 'Nightly sync', role: 'MEMBER' };

describe('creating an API key', () => {
  test('shows the key once, and stores only its hash', async () => {
    const created = await ask(world, createApiKey, { body });
    const { key, apiKey } = created.body;
    const listed = await ask(world, listApiKeys);

    expect(created.status).toBe(201);
    expect(key).toMatch(/^sl_[A-Za-z0-9_-]{43}$/);
    expect(apiKey).toEqual({
      id: expect.any(String),
      ...body,
      prefix: key.slice(0, 8),
      createdById: world.people.OWNER.userId,
      lastUsedAt: null,
      expiresAt: null,
      createdAt: expect.any(String),
    });
    expect(listed.body).toMatchObject({ apiKeys: [apiKey], total: 1 });
    const stored = await get(keys.apiKey(hashToken(key)));
    expect(JSON.stringify(stored)).toContain(apiKey.id);
    expect(JSON.stringify([stored, listed.body])).not.toContain(key);
  });

  test('allows exactly 20 of 25 concurrent keys, and another one after one is deleted', async () => {
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => ask(world, createApiKey, { body })),
    );
    const created = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status === 409);

    expect([created.length, refused.length]).toEqual([20, 5]);
    expect(refused[0]?.body).toMatchObject({ code: 'QUOTA_EXCEEDED', quota: { limit: 20 } });
    await ask(world, revokeApiKey, { params: { key_id: created[0]?.body.apiKey.id } });
    expect((await ask(world, createApiKey, { body })).status).toBe(201);
    expect((await ask(world, createApiKey, { body })).status).toBe(409);
  });

  test('rejects an expiry in the past, an OWNER key and an unknown role', async () => {
    const answers = await Promise.all(
      [{ expiresAt: '2020-01-01T00:00:00Z' }, { role: 'OWNER' }, { role: 'ROOT' }].map((wrong) =>
        ask(world, createApiKey, { body: { ...body, ...wrong } }),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect(answers[0]?.body.message).toEqual(['expiresAt must be in the future']);
  });

  test('rejects an expiry in the past together with other errors', async () => {
    const wrong = { name: '', expiresAt: '2020-01-01T00:00:00Z' };
    const answer = await ask(world, createApiKey, { body: { ...body, ...wrong } });

    expect(answer.body.message).toEqual([
      'name should not be empty',
      'expiresAt must be in the future',
    ]);
  });

  test('is in the audit log, as is revoking the key', async () => {
    const { apiKey } = (await ask(world, createApiKey, { body })).body;
    await ask(world, revokeApiKey, { params: { key_id: apiKey.id } });

    const { entries } = (await ask(world, listAuditLog)).body;

    expect(entries.slice(0, 2)).toMatchObject([
      { action: 'api_key.revoked', targetId: apiKey.id, actorApiKeyId: null },
      {
        action: 'api_key.created',
        actorId: world.people.OWNER.userId,
        actorApiKeyId: null,
        targetType: 'api_key',
        targetId: apiKey.id,
        details: body,
      },
    ]);
  });
});
