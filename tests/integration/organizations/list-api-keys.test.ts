import { beforeEach, describe, expect, test } from 'vitest';
import { minuteMs, setClock, timestamp } from '#lib/platform/clock.ts';
import { listApiKeys, revokeApiKey } from '#schemas/api-keys.ts';
import { newKey, type World } from '#scripts/fixtures/world.ts';
import { ask } from '#tests/support/registry/ask.ts';
import { newWorld } from '#tests/support/registry/world.ts';

let world: World;

beforeEach(async () => {
  world = await newWorld();
});

const list = async () => (await ask(world, listApiKeys)).body;

describe('listing API keys', () => {
  test('returns only the keys of the organization, newest first, with a total', async () => {
    expect(await list()).toMatchObject({ apiKeys: [], total: 0 });
    const first = await newKey(world, 'VIEWER');
    const second = await newKey(world, 'ADMIN', { creator: 'ADMIN' });
    await newKey(await newWorld(), 'ADMIN');

    expect(await list()).toMatchObject({
      apiKeys: [
        { id: second.apiKey.apiKeyId, role: 'ADMIN', createdById: world.people.ADMIN.userId },
        { id: first.apiKey.apiKeyId, role: 'VIEWER', createdById: world.people.OWNER.userId },
      ],
      total: 2,
    });
  });

  test('shows the first 8 characters of a key, and neither the key nor its hash', async () => {
    const { apiKey, key } = await newKey(world, 'MEMBER');
    const body = await list();

    expect(body.apiKeys[0]).toMatchObject({ prefix: key.slice(0, 8), lastUsedAt: null });
    expect(JSON.stringify(body)).not.toContain(key);
    expect(JSON.stringify(body)).not.toContain(apiKey.keyHash);
  });

  test('shows expired keys until they are deleted', async () => {
    const expiresAt = timestamp(minuteMs);
    const { apiKey } = await newKey(world, 'VIEWER', { expiresAt });
    setClock(() => Date.now() + 2 * minuteMs);

    expect((await list()).apiKeys).toMatchObject([{ id: apiKey.apiKeyId, expiresAt }]);
    await ask(world, revokeApiKey, { params: { key_id: apiKey.apiKeyId } });
    expect(await list()).toMatchObject({ apiKeys: [], total: 0 });
  });
});
