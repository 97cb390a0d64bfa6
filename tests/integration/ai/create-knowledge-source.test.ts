import { afterEach, expect, it } from 'vitest';
import { createKnowledgeSource } from '#schemas/knowledge.ts';
import { quotas } from '#schemas/quotas.ts';
import { putFile } from '#tests/support/sandbox-files.ts';
import { knowledgeWorld, pdf } from './knowledge-world.ts';

afterEach(() => {
  process.env[quotas.knowledgeSources.variable] = '';
});

it('reads a text in the background', async () => {
  const world = await knowledgeWorld();
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

it('makes a passage of each pair of a FAQ', async () => {
  const world = await knowledgeWorld();
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

it('reads HTML and PDF from a URL', async () => {
  const world = await knowledgeWorld();
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
])('returns 400 for content that is %s', async (_, body, message) => {
  const { ask } = await knowledgeWorld();
  const answer = await ask(createKnowledgeSource, { body: { name: 'Hours', ...body } });

  expect([answer.status, answer.body.message]).toEqual([400, [message]]);
});

it('gives the last place in the quota to one of several', async () => {
  const { ask } = await knowledgeWorld();
  process.env[quotas.knowledgeSources.variable] = '1';
  const body = { name: 'Hours', type: 'TEXT', text: 'a' };
  const answers = await Promise.all([1, 2, 3].map(() => ask(createKnowledgeSource, { body })));

  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
    code: 'QUOTA_EXCEEDED',
    quota: { name: 'knowledgeSources', limit: 1 },
  });
});
