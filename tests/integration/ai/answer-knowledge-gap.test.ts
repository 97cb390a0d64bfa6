import { beforeEach, expect, it } from 'vitest';
import { getAgent, updateAgent } from '#schemas/ai.ts';
import { answerKnowledgeGap, listKnowledgeSources } from '#schemas/knowledge.ts';
import { newCustomer, replySetup } from '#tests/integration/replies/setup.ts';
import { sandbox } from '#tests/support/mails.ts';
import { overtake } from '#tests/support/overtake.ts';
import { type KnowledgeSetup, knowledgeSetup } from './setup.ts';

let world: KnowledgeSetup;
let agentId: string;

beforeEach(async () => {
  world = await knowledgeSetup();
  agentId = (await replySetup(world.owner).agent({ minConfidence: 1, knowledgeSourceIds: [] })).id;
});

async function gapsOf(...questions: readonly string[]): Promise<readonly string[]> {
  const replies = replySetup(world.owner);
  const account = await replies.account();
  for (const text of questions) {
    await sandbox.giveAiAnswer({ contains: text, reply: 'Perhaps.', action: 'REPLY' });
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

it('answerKnowledgeGap creates the FAQ Answers, which the agent then uses', async () => {
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

it('answerKnowledgeGap keeps a source that the agent gets concurrently', async () => {
  const [gapId] = await gapsOf('Do you ship to Norway?');
  const { id } = await world.add({ type: 'TEXT', text: 'We open at nine.' });
  const body = { knowledgeSourceIds: [id] };
  const { answer: answered } = await overtake({ begin: () => answer(gapId) }, () =>
    world.ask(updateAgent, { params: { agent_id: agentId }, body }),
  );

  expect(await sourcesOfAgent()).toEqual([id, answered.body.source.id]);
});

it.each([
  ['the question without its addresses', undefined, 'Do you ship? My order is at or'],
  ['the question that the person wrote', 'Do you ship?', 'Do you ship?'],
])('answerKnowledgeGap stores %s', async (_what, question, stored) => {
  const [gapId] = await gapsOf(
    'Do you ship?\nMy order is at https://evil.example/pay or www.evil.example.',
  );
  await answer(gapId, { question });
  await world.read();

  expect(await world.search('ship')).toMatchObject([{ text: `${stored}\nYes, within five days.` }]);
});

it('answerKnowledgeGap requires a question if the customer only sent addresses', async () => {
  const [gapId] = await gapsOf('https://evil.example/pay');
  const [without, empty, given] = [
    await answer(gapId),
    await answer(gapId, { question: ' ' }),
    await answer(gapId, { question: 'Is this yours?' }),
  ];

  expect([without.status, without.body.message]).toEqual([
    400,
    ['question is required: the customer only sent web addresses'],
  ]);
  expect([empty.status, given.status]).toEqual([400, 200]);
});

it('answerKnowledgeGap creates one FAQ for several answers at the same time, and keeps all pairs', async () => {
  const ids = await gapsOf('Do you ship to Norway?', 'Can children swim?', 'Is there parking?');
  const answers = await Promise.all(ids.map((id) => answer(id)));
  await world.read();

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const { sources } = (await world.ask(listKnowledgeSources)).body;
  expect(sources).toMatchObject([{ name: 'Answers', status: 'READY', chunkCount: 3 }]);
});

it('answerKnowledgeGap leaves an agent without knowledge as it is', async () => {
  const [gapId] = await gapsOf('Do you ship to Norway?');
  await world.ask(updateAgent, {
    params: { agent_id: agentId },
    body: { knowledgeSourceIds: null },
  });
  await answer(gapId);

  expect(await sourcesOfAgent()).toBeNull();
});

it('answerKnowledgeGap adds the pair to a given FAQ, and to nothing else', async () => {
  const [gapId] = await gapsOf('Do you ship to Norway?');
  const faq = [{ question: 'When do you open?', answer: 'At nine.' }];
  const given = await world.add({ type: 'FAQ', faq });
  const text = await world.add({ type: 'TEXT', text: 'a' });
  const foreign = await (await knowledgeSetup()).add({ type: 'FAQ', faq });
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
