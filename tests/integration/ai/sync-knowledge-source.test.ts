import { expect, it } from 'vitest';
import { syncKnowledgeSource } from '#schemas/knowledge.ts';
import { putFile } from '#scripts/fixtures/sandbox.ts';
import { sandbox } from '#tests/support/mails.ts';
import { knowledgeSetup } from './setup.ts';

it('syncKnowledgeSource reads the URL again, and keeps the passages if it redirects', async () => {
  const world = await knowledgeSetup();
  const url = await putFile('hours', Buffer.from('We open at nine.'), 'text/plain');
  const { id } = await world.add({ type: 'URL', url });
  await putFile('hours', Buffer.from('We open at ten.'), 'text/plain');
  const sync = () => world.ask(syncKnowledgeSource, { params: { source_id: id }, body: {} });
  expect((await sync()).body.source).toMatchObject({ status: 'PENDING', chunkCount: 1 });
  await world.read();
  expect(await world.search('open')).toMatchObject([{ text: 'We open at ten.' }]);
  await sandbox.addFault({
    service: 'files',
    mode: 'error',
    status: 302,
    headers: { location: url },
    times: 1,
  });
  await sync();
  await world.read();

  expect(await world.find(id)).toMatchObject({
    status: 'FAILED',
    failureReason: 'The server answered 302',
  });
  expect(await world.search('open')).toMatchObject([{ text: 'We open at ten.' }]);
});

it('syncKnowledgeSource returns 400 for a source without a URL', async () => {
  const { ask, create } = await knowledgeSetup();
  const { source } = await create({ type: 'TEXT', text: 'a' });
  const params = { source_id: source.id };

  expect((await ask(syncKnowledgeSource, { params, body: {} })).status).toBe(400);
});
