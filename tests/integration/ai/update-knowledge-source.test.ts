import { expect, it } from 'vitest';
import { minuteMs, setClock } from '#lib/platform/clock.ts';
import { updateKnowledgeSource } from '#schemas/knowledge.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import { sandbox } from '#tests/support/mails.ts';
import { overtake } from '#tests/support/overtake.ts';
import { knowledgeSetup } from './setup.ts';

const textsOf = (hits: ReadonlyArray<{ readonly text: string }>) => hits.map(({ text }) => text);

it('updateKnowledgeSource searches the previous passages until the new ones are READY', async () => {
  const world = await knowledgeSetup();
  const { id } = await world.add({ type: 'TEXT', text: 'We open at nine.' });
  const params = { source_id: id };
  const body = { text: 'We open at ten.', name: 'Times' };
  const changed = await world.ask(updateKnowledgeSource, { params, body });
  expect(changed.body.source).toMatchObject({ name: 'Times', status: 'PENDING', chunkCount: 1 });
  expect(await world.search('open')).toMatchObject([
    { text: 'We open at nine.', sourceName: 'Times' },
  ]);
  await world.read();

  expect(textsOf(await world.search('open'))).toEqual(['We open at ten.']);
  expect(await world.storedKeys()).toHaveLength(1);
});

it('updateKnowledgeSource is not overwritten by reading the previous text', async () => {
  const world = await knowledgeSetup();
  const { source } = await world.create({ type: 'TEXT', text: 'We open at nine.' });
  const params = { source_id: source.id };
  const body = { text: 'We open at ten.' };
  await overtake({ begin: world.read }, () => world.ask(updateKnowledgeSource, { params, body }));
  await world.read();

  expect(textsOf(await world.search('open'))).toEqual(['We open at ten.']);
});

it('updateKnowledgeSource keeps the previous passages if the new content fails, after five tries', async () => {
  const world = await knowledgeSetup();
  const { id } = await world.add({ type: 'TEXT', text: 'We open at nine.' });
  const { id: fault } = await sandbox.addFault({ service: 'openai', mode: 'error', status: 500 });
  await world.ask(updateKnowledgeSource, {
    params: { source_id: id },
    body: { text: 'We open at ten.' },
  });
  await world.read();
  const statuses = [(await world.find(id)).status];
  for (const minutes of [5, 15, 40, 80]) {
    setClock(() => Date.now() + minutes * minuteMs);
    await runDueWork();
    statuses.push((await world.find(id)).status);
  }
  await sandbox.endFault(fault);
  setClock();

  expect(statuses).toEqual(['PENDING', 'PENDING', 'PENDING', 'PENDING', 'FAILED']);
  expect(await world.find(id)).toMatchObject({
    failureReason: 'The AI service could not embed the content',
    chunkCount: 1,
  });
  setClock(() => Date.now() + 120 * minuteMs);
  expect(textsOf(await world.search('open'))).toEqual(['We open at nine.']);
});

it('updateKnowledgeSource returns 400 for content of another type', async () => {
  const world = await knowledgeSetup();
  const { id } = await world.add({ type: 'TEXT', text: 'We open at nine.' });
  const answer = await world.ask(updateKnowledgeSource, {
    params: { source_id: id },
    body: { url: 'https://example.com' },
  });

  expect([answer.status, answer.body.message]).toEqual([400, ['url is not for a TEXT']]);
});
