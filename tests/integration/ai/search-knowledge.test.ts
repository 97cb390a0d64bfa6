import { expect, it } from 'vitest';
import { searchKnowledge } from '#schemas/knowledge.ts';
import { sandbox } from '#tests/support/mails.ts';
import { knowledgeSetup } from './setup.ts';

it('searchKnowledge finds passages, best first, and none from another organization', async () => {
  const [world, other] = [await knowledgeSetup(), await knowledgeSetup()];
  await other.add({ type: 'TEXT', text: 'We open at seven.' });
  await world.add({ type: 'TEXT', text: 'We ship within five days.' });
  await world.add({ type: 'TEXT', text: 'We open at nine.' });
  const hits = await world.search('When do you open?');

  expect(hits.map(({ text }: { text: string }) => text)).toEqual([
    'We open at nine.',
    'We ship within five days.',
  ]);
  expect(hits[0].score).toBeGreaterThan(hits[1].score);
});

it('searchKnowledge limits the number of passages', async () => {
  const { add, ask, search } = await knowledgeSetup();
  const faq = Array.from({ length: 12 }, (_, index) => ({
    question: `When do you open in house ${index}?`,
    answer: 'At nine.',
  }));
  await add({ type: 'FAQ', faq });

  expect([(await search('open')).length, (await search('open', 3)).length]).toEqual([10, 3]);
  const answers = await Promise.all(
    [{ query: '' }, { query: 'a'.repeat(1_001) }, { query: 'a', limit: 51 }].map((body) =>
      ask(searchKnowledge, { body }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
});

it('searchKnowledge returns 502 if the AI service is down', async () => {
  const { ask } = await knowledgeSetup();
  await sandbox.addFault({ service: 'openai', mode: 'error', status: 500 });

  expect((await ask(searchKnowledge, { body: { query: 'open' } })).status).toBe(502);
});
