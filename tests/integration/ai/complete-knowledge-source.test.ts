import { expect, it } from 'vitest';
import { dayMs, setClock } from '#lib/platform/clock.ts';
import { completeKnowledgeSource, getKnowledgeSource } from '#schemas/knowledge.ts';
import { send } from '#tests/integration/media/setup.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import { pdf } from '#tests/support/pdf-files.ts';
import { type KnowledgeSetup, knowledgeSetup } from './setup.ts';

async function upload(
  { ask, create, find, read }: KnowledgeSetup,
  content: Buffer,
  contentType: string,
  announced = content.length,
) {
  const body = { type: 'FILE', fileName: 'manual', contentType, bytes: announced };
  const { source, upload: request } = await create(body);
  await send({ ...request, headers: { 'content-type': contentType } }, content);
  const params = { source_id: source.id };
  const { status } = await ask(completeKnowledgeSource, { params, body: {} });
  await read();

  return { status, source: await find(source.id) };
}

it.each([
  ['text/plain', Buffer.from('We open at nine.')],
  ['text/plain', Buffer.from('\uFEFFWe open at nine.', 'utf16le')],
  ['text/markdown', Buffer.from('We open at nine.')],
  ['text/html', Buffer.from('<div>We <b>open</b> at nine.</div>')],
  ['application/pdf', pdf('We open at nine.')],
])('completeKnowledgeSource reads a file of %s, and deletes it', async (contentType, content) => {
  const world = await knowledgeSetup();
  const { status, source } = await upload(world, content, contentType);

  expect(status).toBe(200);
  expect(source).toMatchObject({ status: 'READY', chunkCount: 1, bytes: content.length });
  expect((await world.search('open'))[0].text).toBe('We open at nine.');
  expect(await world.storedKeys()).toEqual([expect.stringContaining(`knowledge/`)]);
});

it.each([
  ['damaged', 'application/pdf', Buffer.from('%PDF-1.4 nothing'), 'The PDF is damaged'],
  ['binary', 'text/plain', Buffer.from([1, 0, 2]), 'The file is not text'],
  ['empty', 'text/html', Buffer.from('<script>1</script>'), 'The content has no text'],
  ['of another type', 'text/plain', pdf('a'), 'The file is a PDF, and another type was announced'],
  [
    'too long',
    'application/pdf',
    pdf(...Array.from({ length: 2_001 }, () => 'a')),
    'The PDF has more than 2000 pages',
  ],
])(
  'completeKnowledgeSource fails for a file that is %s',
  async (_, contentType, content, failureReason) => {
    const { source } = await upload(await knowledgeSetup(), content, contentType);

    expect(source).toMatchObject({ status: 'FAILED', failureReason, chunkCount: 0 });
  },
);

it('completeKnowledgeSource returns 409 before the file has arrived, and for other types of sources', async () => {
  const { ask, create } = await knowledgeSetup();
  const bodies = [
    { type: 'FILE', fileName: 'a', contentType: 'text/plain', bytes: 1 },
    { type: 'TEXT', text: 'a' },
  ];
  const statuses = await Promise.all(
    bodies.map(async (body) => {
      const params = { source_id: (await create(body)).source.id };

      return (await ask(completeKnowledgeSource, { params, body: {} })).status;
    }),
  );

  expect(statuses).toEqual([409, 409]);
});

it('completeKnowledgeSource deletes a source whose file did not arrive within a day', async () => {
  const { ask, create } = await knowledgeSetup();
  const { source } = await create({
    type: 'FILE',
    fileName: 'a',
    contentType: 'text/plain',
    bytes: 1,
  });
  setClock(() => Date.now() + dayMs + 1_000);
  await runDueWork();
  setClock();

  expect((await ask(getKnowledgeSource, { params: { source_id: source.id } })).status).toBe(404);
});
