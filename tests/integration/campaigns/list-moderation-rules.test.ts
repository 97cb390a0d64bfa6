import { expect, it } from 'vitest';
import { listModerationRules } from '#schemas/moderation-rules.ts';
import { call } from '#tests/support/api.ts';
import { moderationSetup } from './setup.ts';

it('listModerationRules returns all rules of the organization, newest first, with their number', async () => {
  const [world, other] = await Promise.all([moderationSetup(), moderationSetup()]);
  await other.create({ name: 'Other' });
  await world.create({ name: 'First' });
  await world.create({ name: 'Second', words: [], links: true });

  const { token } = world.owner;
  const { body } = await call(listModerationRules, { params: world.inPath, token });
  const { moderationRules, total } = body;

  expect(moderationRules.map(({ name }: { name: string }) => name)).toEqual(['Second', 'First']);
  expect(total).toBe(2);
});
