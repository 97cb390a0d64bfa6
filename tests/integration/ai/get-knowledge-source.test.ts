import { expect, it } from 'vitest';
import { getKnowledgeSource } from '#schemas/knowledge.ts';
import { knowledgeSetup } from './setup.ts';

it('getKnowledgeSource returns the source as it was created', async () => {
  const world = await knowledgeSetup();
  const { source } = await world.create({ type: 'TEXT', text: 'a' });
  const params = { source_id: source.id };

  expect((await world.ask(getKnowledgeSource, { params })).body.source).toEqual(source);
});
