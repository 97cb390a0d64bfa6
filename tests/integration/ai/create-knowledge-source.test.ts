import { afterEach, expect, it } from 'vitest';
import { handler } from '#functions/workers/knowledge-reading.ts';
import { minuteMs, setClock } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { count, write } from '#lib/platform/db/write.ts';
import { createKnowledgeSource } from '#schemas/knowledge.ts';
import { quotas } from '#schemas/quotas.ts';
import { putFile } from '#scripts/fixtures/sandbox.ts';
import { lambdaContext } from '#tests/support/api.ts';
import { pdf } from '#tests/support/pdf-files.ts';
import { withFailingStorage } from '#tests/support/stored-files.ts';
import { takeWork } from '#tests/support/work.ts';
import { knowledgeSetup } from './setup.ts';

afterEach(() => {
  process.env[quotas.knowledgeSources.variable] = '';
});

it('createKnowledgeSource reads a text in the background', async () => {
  const world = await knowledgeSetup();
  const { source, upload } = await world.create({ type: 'TEXT', text: 'We open at nine.' });
  expect(upload).toBeNull();
  expect(source).toMatchObject({
    type: 'TEXT',
    name: 'Hours',
    status: 'PENDING',
    failureReason: null,
    chunkCount: 0,
    bytes: null,
    lastSyncedAt: null,
  });
  await world.read();

  expect(await world.find(source.id)).toMatchObject({
    status: 'READY',
    chunkCount: 1,
    bytes: 16,
    lastSyncedAt: expect.any(String),
  });
  expect(await world.search('When do you open?')).toEqual([
    {
      sourceId: source.id,
      sourceName: 'Hours',
      text: 'We open at nine.',
      score: expect.any(Number),
    },
  ]);
});

it('createKnowledgeSource makes a passage of each pair of a FAQ', async () => {
  const world = await knowledgeSetup();
  const faq = [
    { question: 'When do you open?', answer: 'At nine.' },
    { question: 'Do you ship?', answer: 'Within five days.' },
  ];
  const source = await world.add({ type: 'FAQ', faq });

  expect(source).toMatchObject({ status: 'READY', chunkCount: 2 });
  expect((await world.search('Do you ship to France?', 1))[0]).toMatchObject({
    text: 'Do you ship?\nWithin five days.',
  });
});

it('createKnowledgeSource reads HTML and PDF from a URL', async () => {
  const world = await knowledgeSetup();
  const page = '<title>Shop</title><p>We open at nine.</p><script>alert("hidden")</script>';
  const html = await putFile('page', Buffer.from(page), 'text/html; charset=utf-8');
  const file = await putFile(
    'manual',
    pdf('Shipping takes five days.', 'Returns are free.'),
    'application/pdf',
  );
  const [first, second] = [
    await world.add({ type: 'URL', url: html }),
    await world.add({ type: 'URL', url: file }),
  ];
  const hits = await world.search('shipping');

  expect([first, second]).toMatchObject([
    { status: 'READY', bytes: page.length, chunkCount: 1 },
    { status: 'READY', chunkCount: 1 },
  ]);
  expect(hits.map(({ text }: { text: string }) => text)).toEqual([
    'Shipping takes five days.\n\nReturns are free.',
    'Shop\n\nWe open at nine.',
  ]);
});

it('createKnowledgeSource reads a page that declares its charset, and fails if it cannot be decoded', async () => {
  const world = await knowledgeSetup();
  const page = Buffer.concat([
    Buffer.from('<meta http-equiv="Content-Type" content="text/html; charset=windows-1251"><p>'),
    Buffer.from([0xc4, 0xee, 0xf1, 0xf2, 0xe0, 0xe2, 0xea, 0xe0]),
  ]);
  const urls = [
    await putFile('named', page, 'text/html'),
    await putFile('wrong', page.subarray(page.indexOf('<p>')), 'text/html; charset=utf-8'),
  ];
  const [named, wrong] = [
    await world.add({ type: 'URL', url: urls[0] }),
    await world.add({ type: 'URL', url: urls[1] }),
  ];

  expect(named).toMatchObject({ status: 'READY', chunkCount: 1 });
  expect((await world.search('delivery'))[0].text).toBe('Доставка');
  expect(wrong).toMatchObject({
    status: 'FAILED',
    failureReason: 'The text cannot be decoded in the character encoding that it announces',
  });
});

it.each([
  ['missing', { type: 'TEXT' }, 'text is required for a TEXT'],
  [
    'of another type',
    { type: 'TEXT', text: 'a', url: 'https://example.com' },
    'url is not for a TEXT',
  ],
  ['private', { type: 'URL', url: 'https://127.0.0.1/' }, expect.stringMatching(/^url must/)],
  [
    'too large',
    { type: 'FILE', fileName: 'a', contentType: 'application/pdf', bytes: 10_000_001 },
    expect.stringMatching(/^bytes /),
  ],
  [
    'no document',
    { type: 'FILE', fileName: 'a', contentType: 'image/png', bytes: 1 },
    expect.stringMatching(/^contentType /),
  ],
])('createKnowledgeSource returns 400 for content that is %s', async (_, body, message) => {
  const { ask } = await knowledgeSetup();
  const answer = await ask(createKnowledgeSource, { body: { name: 'Hours', ...body } });

  expect([answer.status, answer.body.message]).toEqual([400, [message]]);
});

it('createKnowledgeSource reports fields that do not fit the type together with other errors', async () => {
  const { ask } = await knowledgeSetup();
  const name = 'x'.repeat(101);
  const [text, url] = [
    await ask(createKnowledgeSource, { body: { type: 'TEXT', name } }),
    await ask(createKnowledgeSource, { body: { type: 'URL', name, url: 'http://10.0.0.1' } }),
  ];

  expect(text.body.message).toEqual([
    'name must be shorter than or equal to 100 characters',
    'text is required for a TEXT',
  ]);
  expect(url.body.message).toEqual([
    'name must be shorter than or equal to 100 characters',
    'url must be an https URL',
  ]);
});

it('createKnowledgeSource gives the last free place in the quota to only one of several requests', async () => {
  const { ask } = await knowledgeSetup();
  process.env[quotas.knowledgeSources.variable] = '1';
  const body = { name: 'Hours', type: 'TEXT', text: 'a' };
  const answers = await Promise.all([1, 2, 3].map(() => ask(createKnowledgeSource, { body })));

  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
    code: 'QUOTA_EXCEEDED',
    quota: { name: 'knowledgeSources', limit: 1 },
  });
});

it('createKnowledgeSource fails content after five attempts that were terminated', async () => {
  const world = await knowledgeSetup();
  const { source } = await world.create({ type: 'TEXT', text: 'We open at nine.' });
  const work = await takeWork('knowledge-reading');
  for (let attempt = 1; attempt <= 6; attempt += 1) {
    expect((await world.find(source.id)).status).toBe('PENDING');
    setClock(() => Date.now() + attempt * minuteMs);
    await withFailingStorage(1, () => handler(work, lambdaContext(300_000)));
  }

  expect(await world.find(source.id)).toMatchObject({
    status: 'FAILED',
    failureReason: 'The content could not be processed',
  });
});

it('createKnowledgeSource fails later if other sources have used up the passages', async () => {
  const world = await knowledgeSetup();
  const { source } = await world.create({ type: 'TEXT', text: 'We open at nine.' });
  await write(count(keys.counter(world.organizationId, 'KNOWLEDGE'), { passages: 1_000_000 }));
  await world.read();

  expect(await world.find(source.id)).toMatchObject({ status: 'FAILED' });
});
