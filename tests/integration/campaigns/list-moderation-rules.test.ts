import { expect, it } from 'vitest';
import { moderationWorld } from './moderation-world.ts';

it('returns all rules of the organization, newest first, with their number', async () => {
  const [world, other] = await Promise.all([moderationWorld(), moderationWorld()]);
  await other.create({ name: 'Other' });
  await world.create({ name: 'First' });
  await world.create({ name: 'Second', words: [], links: true });

  const { moderationRules, total } = await world.list();

  expect(moderationRules.map(({ name }: { name: string }) => name)).toEqual(['Second', 'First']);
  expect(total).toBe(2);
});
