import { expect, it } from 'vitest';
import { getAgent } from '#schemas/ai.ts';
import { deleteKnowledgeSource, listKnowledgeSources } from '#schemas/knowledge.ts';
import { replySetup } from '#tests/integration/replies/setup.ts';
import { knowledgeSetup } from './setup.ts';

it('deleteKnowledgeSource removes the source from agents, its passages and its files', async () => {
  const world = await knowledgeSetup();
  const [kept, deleted] = [
    await world.add({ type: 'TEXT', text: 'We ship within five days.' }),
    await world.add({ type: 'TEXT', text: 'We open at nine.' }),
  ];
  const agent = await replySetup(world.owner).agent({ knowledgeSourceIds: [kept.id, deleted.id] });
  const params = { source_id: deleted.id };
  const [first, again] = [
    await world.ask(deleteKnowledgeSource, { params }),
    await world.ask(deleteKnowledgeSource, { params }),
  ];
  await world.read();

  expect([first.status, again.status]).toEqual([200, 404]);
  expect(again.body.message).toMatch(/^Knowledge source not found/);
  const found = await world.ask(getAgent, { params: { agent_id: agent.id } });
  expect(found.body.aiAgent.knowledgeSourceIds).toEqual([kept.id]);
  expect((await world.ask(listKnowledgeSources)).body).toMatchObject({
    sources: [{ id: kept.id }],
    total: 1,
  });
  expect(await world.storedKeys()).toEqual([expect.stringContaining(kept.id)]);
});
