import { afterEach, describe, expect, it } from 'vitest';
import { createModerationRule } from '#schemas/moderation-rules.ts';
import { storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { moderationSetup } from './setup.ts';

const world = await moderationSetup();

afterEach(() => {
  delete process.env.QUOTA_MODERATION_RULES;
});

describe('POST /campaigns/{organization_id}/moderation-rules', () => {
  it('creates an active rule for all accounts', async () => {
    const { status, body } = await call(createModerationRule, {
      params: world.inPath,
      token: world.owner.token,
      body: { name: 'Spam', words: ['free followers'] },
    });

    expect([status, body.moderationRule]).toEqual([
      201,
      {
        id: expect.any(String),
        name: 'Spam',
        socialAccountIds: [],
        words: ['free followers'],
        links: false,
        isActive: true,
        hiddenCount: 0,
        createdAt: expect.any(String),
        updatedAt: body.moderationRule.createdAt,
      },
    ]);
    expect((await world.list()).moderationRules[0]).toEqual(body.moderationRule);
  });

  it.each([
    [{ words: [] }, 'words should not be empty if links is false'],
    [{ words: ['spam', '\u{fe0f}'] }, 'words.1 should not be empty'],
  ])('returns 400 for %j, which matches nothing', async (body, message) => {
    const answer = await world.create(body);

    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).toContain(message);
  });

  it('returns 404 for an account of another organization', async () => {
    const other = await newAccount();
    const own = await storeSocialAccount(world.owner.organizationId);
    const foreign = await storeSocialAccount(other.organizationId);

    expect((await world.create({ socialAccountIds: [own.id, foreign.id] })).status).toBe(404);
    expect((await world.create({ socialAccountIds: [own.id] })).status).toBe(201);
  });

  it('creates exactly as many rules as the quota allows, even concurrently', async () => {
    process.env.QUOTA_MODERATION_RULES = '3';
    const office = await moderationSetup();
    const answers = await Promise.all(Array.from({ length: 6 }, () => office.create()));
    const refused = answers.find(({ status }) => status === 409);

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(refused?.body).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      quota: { name: 'moderationRules', limit: 3 },
    });
    const { moderationRules, total } = await office.list();
    expect([moderationRules.length, total]).toEqual([3, 3]);
    await office.remove(moderationRules[0].id);
    expect((await office.create()).status).toBe(201);
  });
});
