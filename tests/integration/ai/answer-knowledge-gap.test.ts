import { beforeEach, expect, it } from 'vitest';
import { getAgent, updateAgent } from '#schemas/ai.ts';
import { answerKnowledgeGap, listKnowledgeSources } from '#schemas/knowledge.ts';
import { newCustomer, replyWorld } from '#tests/integration/replies/world.ts';
import { type KnowledgeWorld, knowledgeWorld } from './knowledge-world.ts';

let world: KnowledgeWorld;
let agentId: string;

beforeEach(async () => {
  world = await knowledgeWorld();
  agentId = (await replyWorld(world.owner).agent({ minConfidence: 1, knowledgeSourceIds: [] })).id;
});

async function gapsOf(...questions: readonly string[]): Promise<readonly string[]> {
  const replies = replyWorld(world.owner);
  const account = await replies.account();
  for (const text of questions) {
    await replies.say(account, { type: 'message', text, from: newCustomer() });
    await replies.workOff();
  }

  return (await world.gaps()).map(({ id }: { id: string }) => id);
}

const answer = (gapId: string | undefined, body: object = {}) =>
  world.ask(answerKnowledgeGap, {
    params: { gap_id: String(gapId) },
    body: { answer: 'Yes, within five days.', ...body },
  });

async function sourcesOfAgent() {
  const found = await world.ask(getAgent, { params: { agent_id: agentId } });

  return found.body.aiAgent.knowledgeSourceIds;
}

it('creates the FAQ Answers, which the agent then uses', async () => {
  const [gapId] = await gapsOf('Do you ship to Norway?');
  const { status, body } = await answer(gapId);
  expect([status, body.source]).toMatchObject([200, { name: 'Answers', type: 'FAQ' }]);
  await world.read();

  expect(await world.search('Norway')).toMatchObject([
    { text: 'Do you ship to Norway?\nYes, within five days.' },
  ]);
  expect(await sourcesOfAgent()).toEqual([body.source.id]);
  expect(await world.gaps()).toEqual([]);
  const again = await answer(gapId);
  expect([again.status, again.body.message]).toEqual([
    404,
    expect.stringMatching(/^Knowledge gap not found/),
  ]);
});

it('creates one FAQ for several answers at the same time, and keeps all pairs', async () => {
  const ids = await gapsOf('Do you ship to Norway?', 'Can children swim?', 'Is there parking?');
  const answers = await Promise.all(ids.map((id) => answer(id)));
  await world.read();

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const { sources } = (await world.ask(listKnowledgeSources)).body;
  expect(sources).toMatchObject([{ name: 'Answers', status: 'READY', chunkCount: 3 }]);
});

it('leaves an agent without knowledge as it is', async () => {
  const [gapId] = await gapsOf('Do you ship to Norway?');
  await world.ask(updateAgent, {
    params: { agent_id: agentId },
    body: { knowledgeSourceIds: null },
  });
  await answer(gapId);

  expect(await sourcesOfAgent()).toBeNull();
});

it('adds the pair to a given FAQ, and to nothing else', async () => {
  const [gapId] = await gapsOf('Do you ship to Norway?');
  const faq = [{ question: 'When do you open?', answer: 'At nine.' }];
  const given = await world.add({ type: 'FAQ', faq });
  const text = await world.add({ type: 'TEXT', text: 'a' });
  const foreign = await (await knowledgeWorld()).add({ type: 'FAQ', faq });
  const [toText, toForeign, toGiven] = [
    await answer(gapId, { sourceId: text.id }),
    await answer(gapId, { sourceId: foreign.id }),
    await answer(gapId, { sourceId: given.id }),
  ];
  await world.read();

  expect([toText.status, toText.body.message]).toEqual([400, ['sourceId must name a FAQ']]);
  expect([toForeign.status, toGiven.status]).toEqual([404, 200]);
  expect(await world.find(given.id)).toMatchObject({ status: 'READY', chunkCount: 2 });
  expect(await sourcesOfAgent()).toEqual([]);
});
