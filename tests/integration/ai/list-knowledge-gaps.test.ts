import { expect, it } from 'vitest';
import { forgetConversationInGaps, planGap } from '#lib/features/knowledge/gaps.ts';
import { write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { deleteKnowledgeGap, listKnowledgeGaps } from '#schemas/knowledge.ts';
import { type KnowledgeSetup, knowledgeSetup } from './setup.ts';

/** Stores a question whose meaning is represented by the number. */
async function note({ organizationId }: KnowledgeSetup, meaning: number, conversationId = newId()) {
  const vector = new Float32Array(512);
  vector[meaning] = 1;
  const asked = {
    question: `Question ${meaning}`,
    vector,
    conversationId,
    messages: [],
    agentId: undefined,
  };
  await write(...(await planGap(organizationId, asked)));

  return conversationId;
}

it('listKnowledgeGaps lists pages of the gaps, newest first', async () => {
  const world = await knowledgeSetup();
  for (const meaning of [1, 2, 3]) {
    await note(world, meaning);
  }
  const first = (await world.ask(listKnowledgeGaps, { query: { limit: '2' } })).body;
  const query = { limit: '2', cursor: first.pagination.nextCursor };
  const second = (await world.ask(listKnowledgeGaps, { query })).body;

  expect([first.gaps, second.gaps]).toMatchObject([
    [{ question: 'Question 3', count: 1 }, { question: 'Question 2' }],
    [{ question: 'Question 1' }],
  ]);
  expect(first.pagination.total).toBe(3);
});

it('listKnowledgeGaps shows the latest three conversations', async () => {
  const world = await knowledgeSetup();
  const ids = [];
  for (let time = 0; time < 4; time += 1) {
    ids.push(await note(world, 1));
  }

  expect(await world.gaps()).toMatchObject([
    { count: 4, conversationIds: ids.toReversed().slice(0, 3) },
  ]);
});

it('listKnowledgeGaps omits the questions of an erased conversation', async () => {
  const world = await knowledgeSetup();
  const conversationId = await note(world, 1);
  await note(world, 1);
  const other = await note(world, 2);
  await note(world, 2, conversationId);
  await forgetConversationInGaps(world.organizationId, conversationId);
  await forgetConversationInGaps(world.organizationId, conversationId);
  const { gaps, pagination } = (await world.ask(listKnowledgeGaps)).body;

  expect(gaps).toMatchObject([{ question: 'Question 2', count: 2, conversationIds: [other] }]);
  expect(pagination.total).toBe(1);
});

it('listKnowledgeGaps does not list deleted gaps', async () => {
  const world = await knowledgeSetup();
  await note(world, 1);
  const [gap] = await world.gaps();
  const params = { gap_id: gap.id };
  const removed = await world.ask(deleteKnowledgeGap, { params });
  const again = await world.ask(deleteKnowledgeGap, { params });
  const { gaps, pagination } = (await world.ask(listKnowledgeGaps)).body;

  expect([removed.status, again.status, gaps, pagination.total]).toEqual([200, 404, [], 0]);
});
