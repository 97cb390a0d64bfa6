import { expect, it } from 'vitest';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { getAgent, updateAgent } from '#schemas/ai.ts';
import { deleteKnowledgeSource, listKnowledgeSources } from '#schemas/knowledge.ts';
import { replySetup } from '#tests/integration/replies/setup.ts';
import { overtake } from '#tests/support/overtake.ts';
import { knowledgeSetup } from './setup.ts';

it('deleteKnowledgeSource keeps a source that the agent gets concurrently', async () => {
  const world = await knowledgeSetup();
  const text = { type: 'TEXT', text: 'We open at nine.' };
  const [deleted, added] = [await world.add(text), await world.add(text)];
  const knowledgeSourceIds = [deleted.id, added.id];
  const agent = await replySetup(world.owner).agent({ knowledgeSourceIds: [deleted.id] });
  const params = { agent_id: agent.id };
  await overtake(
    { begin: () => world.ask(deleteKnowledgeSource, { params: { source_id: deleted.id } }) },
    () => world.ask(updateAgent, { params, body: { knowledgeSourceIds } }),
  );

  const found = await world.ask(getAgent, { params });
  expect(found.body.aiAgent.knowledgeSourceIds).toEqual([added.id]);
});

it('deleteKnowledgeSource subtracts passages that were read concurrently', async () => {
  const world = await knowledgeSetup();
  const { source } = await world.create({ type: 'TEXT', text: 'We open at nine.' });
  const params = { source_id: source.id };
  await overtake({ begin: () => world.ask(deleteKnowledgeSource, { params }) }, world.read);

  expect(await get(keys.counter(world.organizationId, 'KNOWLEDGE'))).toMatchObject({ passages: 0 });
});

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
