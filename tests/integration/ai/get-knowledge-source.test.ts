import { expect, it } from 'vitest';
import { getKnowledgeSource } from '#schemas/knowledge.ts';
import { knowledgeWorld } from './knowledge-world.ts';

it('returns 404 for a source of another organization', async () => {
  const [world, other] = [await knowledgeWorld(), await knowledgeWorld()];
  const { source } = await other.create({ type: 'TEXT', text: 'a' });
  const params = { source_id: source.id };

  expect((await other.ask(getKnowledgeSource, { params })).body.source).toEqual(source);
  expect((await world.ask(getKnowledgeSource, { params })).status).toBe(404);
});
