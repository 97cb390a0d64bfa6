import { beforeEach, describe, expect, test } from 'vitest';
import { hashToken } from '#lib/platform/crypto/one-time-token.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { listApiKeys, revokeApiKey } from '#schemas/api-keys.ts';
import { getOrganization, listAuditLog } from '#schemas/organizations.ts';
import { newKey, type World } from '#scripts/fixtures/world.ts';
import { ask } from '#tests/support/registry/ask.ts';
import { newWorld } from '#tests/support/registry/world.ts';

let world: World;

beforeEach(async () => {
  world = await newWorld();
});

const revoke = (keyId: string, token = world.people.OWNER.token) =>
  ask(world, revokeApiKey, { params: { key_id: keyId }, token });

describe('revoking an API key', () => {
  test('rejects its next request, and does not affect other keys', async () => {
    const [first, second] = [await newKey(world, 'ADMIN'), await newKey(world, 'VIEWER')];
    const read = async (token: string) => (await ask(world, getOrganization, { token })).status;
    expect([await read(first.key), await read(second.key)]).toEqual([200, 200]);

    expect((await revoke(first.apiKey.apiKeyId)).status).toBe(200);

    expect([await read(first.key), await read(second.key)]).toEqual([401, 200]);
    expect(await get(keys.apiKey(hashToken(first.key)))).toBeUndefined();
    expect((await ask(world, listApiKeys)).body).toMatchObject({
      apiKeys: [{ id: second.apiKey.apiKeyId }],
      total: 1,
    });
  });

  test('happens once, however often it is requested concurrently', async () => {
    const { apiKey } = await newKey(world, 'VIEWER');
    await newKey(world, 'VIEWER');
    const answers = await Promise.all([1, 2, 3, 4].map(() => revoke(apiKey.apiKeyId)));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
    expect(await get(keys.counter(world.organizationId, 'API_KEYS'))).toMatchObject({ value: 1 });
    const { entries } = (await ask(world, listAuditLog)).body;
    const revoked = entries.filter(({ action }: { action: string }) => action.endsWith('revoked'));
    expect(revoked).toMatchObject([{ action: 'api_key.revoked', targetId: apiKey.apiKeyId }]);
  });
});
