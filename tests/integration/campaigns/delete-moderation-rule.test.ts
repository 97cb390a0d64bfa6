import { expect, it } from 'vitest';
import { deleteModerationRule } from '#schemas/moderation-rules.ts';
import { newMember } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { moderationSetup } from './setup.ts';

it('deleteModerationRule deletes a rule for admins, and returns 404 afterwards', async () => {
  const world = await moderationSetup();
  const { id } = (await world.create()).body.moderationRule;
  const { token } = await newMember(world.owner, 'MEMBER');
  const params = { organization_id: world.owner.organizationId, rule_id: id };

  expect((await call(deleteModerationRule, { params, token })).status).toBe(403);
  expect((await world.remove(id)).status).toBe(200);
  expect(await world.list()).toMatchObject({ moderationRules: [], total: 0 });
  expect((await world.remove(id)).status).toBe(404);
});
