import { describe, expect, it } from 'vitest';
import { updateModerationRule } from '#schemas/moderation-rules.ts';
import { call } from '#tests/support/api.ts';
import { moderationSetup } from './setup.ts';

const world = await moderationSetup();

async function newRule(body = {}) {
  return (await world.create(body)).body.moderationRule;
}

describe('PATCH /campaigns/{organization_id}/moderation-rules/{rule_id}', () => {
  it('changes only the given fields', async () => {
    const rule = await newRule();
    const { status, body } = await call(updateModerationRule, {
      params: world.paramsOf(rule.id),
      token: world.owner.token,
      body: { isActive: false, links: true },
    });

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
});
