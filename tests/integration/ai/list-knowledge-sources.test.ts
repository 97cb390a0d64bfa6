import { expect, it } from 'vitest';
import { listKnowledgeSources } from '#schemas/knowledge.ts';
import { knowledgeSetup } from './setup.ts';

it('listKnowledgeSources lists the sources of the organization, newest first', async () => {
  const [world, other] = [await knowledgeSetup(), await knowledgeSetup()];
  await other.create({ type: 'TEXT', text: 'a' });
  const first = await world.create({ type: 'TEXT', text: 'a', name: 'First' });
  const second = await world.create({ type: 'TEXT', text: 'b', name: 'Second' });

  expect((await world.ask(listKnowledgeSources)).body).toMatchObject({
    sources: [{ id: second.source.id }, { id: first.source.id }],
    total: 2,
  });
});
