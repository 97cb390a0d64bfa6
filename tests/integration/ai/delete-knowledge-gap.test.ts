import { expect, it } from 'vitest';
import { deleteKnowledgeGap } from '#schemas/knowledge.ts';
import { storeGap } from '#scripts/fixtures/knowledge.ts';
import { knowledgeSetup } from './setup.ts';

it('deleteKnowledgeGap removes the question from the list', async () => {
  const world = await knowledgeSetup();
  const gap_id = await storeGap(world.organizationId, 'Do you ship to Norway?');
  expect(await world.gaps()).toHaveLength(1);
  await world.ask(deleteKnowledgeGap, { params: { gap_id } });

  expect(await world.gaps()).toEqual([]);
});
