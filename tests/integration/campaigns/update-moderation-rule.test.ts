import { describe, expect, it } from 'vitest';
import { newAccount } from '#tests/support/accounts.ts';
import { storeSocialAccount } from '#tests/support/social-accounts.ts';
import { moderationWorld } from './moderation-world.ts';

const world = await moderationWorld();

async function newRule(body = {}) {
  return (await world.create(body)).body.moderationRule;
}

describe('PATCH /campaigns/{organization_id}/moderation-rules/{rule_id}', () => {
  it('changes what the body names', async () => {
    const rule = await newRule();
    const { status, body } = await world.update(rule.id, { isActive: false, links: true });

    expect([status, body.moderationRule]).toEqual([
      200,
      { ...rule, isActive: false, links: true, updatedAt: expect.any(String) },
    ]);
    expect((await world.list()).moderationRules[0]).toEqual(body.moderationRule);
  });

  it('returns 400 if the rule would match nothing', async () => {
    const rule = await newRule();

    expect((await world.update(rule.id, { words: [] })).status).toBe(400);
    expect((await world.update(rule.id, { words: [], links: true })).status).toBe(200);
    expect((await world.update(rule.id, { links: false })).status).toBe(400);
  });

  it('returns 404 for an unknown rule, and for an account of another organization', async () => {
    const rule = await newRule();
    const foreign = await storeSocialAccount((await newAccount()).organizationId);
    const unknown = '0192f0c6-7f80-7192-a3b4-c5d6e7f80912';

    expect((await world.update(rule.id, { socialAccountIds: [foreign.id] })).status).toBe(404);
    expect((await world.update(unknown, { name: 'Other' })).status).toBe(404);
  });
});
