import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeEach, expect, it, vi } from 'vitest';
import { type KnowledgeSetup, knowledgeSetup } from '#tests/integration/ai/setup.ts';
import { localServer } from '#tests/unit/vendors/networks/local-servers.ts';
import { newCustomer, replySetup } from './setup.ts';

/** The knowledge of the embedding model: each line contains the words for one meaning. */
const dictionary = [
  ['open', 'hours', 'geöffnet', 'öffnen', 'öffnungszeiten', 'horaires', 'abren', '営業時間'],
  ['ship', 'deliver', 'liefern', 'livrez', 'envían', '配送'],
  ['pay', 'card', 'bezahlen', 'karte', 'payer', 'pagar', '支払い'],
  ['warranty', 'garantie', 'garantía', '保証'],
  ['parking', 'park', 'parkplätze', 'stationner', 'aparcar', '駐車場'],
  ['dogs', 'hunde', 'chiens', 'perros', '犬'],
  ['repair', 'reparieren', 'réparez', 'reparan', '修理'],
  ['vouchers', 'gutscheine', 'cadeaux', 'vales', 'ギフト'],
  ['phone', 'telefon', 'téléphone', 'teléfono', '電話'],
  ['address', 'adresse', 'dirección', '住所'],
  ['jobs', 'stellen', 'emplois', 'empleos', '求人'],
] as const;

const model = 'multilingual-dictionary';

/** One number for each meaning. The last one covers all other texts. */
function embeddingOf(passage: string): readonly number[] {
  const words = passage.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const meanings = dictionary.map(
    (known) => words.filter((word) => known.some((one) => one === word)).length,
  );

  return [...meanings, 0.1];
}

/** An OpenAI-compatible server without base64. The sandbox's model writes the answers. */
async function answerLikeOpenai(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  if (request.url !== '/v1/embeddings') {
    const { authorization = '' } = request.headers;
    const answer = await fetch(new URL(request.url ?? '', String(process.env.SES_ENDPOINT)), {
      method: String(request.method),
      headers: { authorization, 'content-type': 'application/json' },
      body,
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(await answer.text());

    return;
  }
  const { input } = JSON.parse(body) as { readonly input: readonly string[] };
  const data = input.map((one, index) => ({ index, embedding: embeddingOf(one) }));
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ object: 'list', model, data }));
}

let knowledge: KnowledgeSetup;

beforeEach(async () => {
  const server = await localServer((request, response) => {
    void answerLikeOpenai(request, response);
  });
  vi.stubEnv('OPENAI_BASE_URL', `${server}/v1`);
  vi.stubEnv('OPENAI_EMBEDDING_MODEL', model);
  knowledge = await knowledgeSetup();
});

const english = [
  ['When do you open?', 'We open at nine.'],
  ['Do you ship?', 'We ship within five days.'],
  ['How can I pay?', 'By card.'],
  ['Is there a warranty?', 'The warranty lasts three years.'],
  ['Is there parking?', 'You can park behind the house.'],
  ['Are dogs allowed?', 'Dogs are welcome on a leash.'],
  ['Do you repair engines?', 'We repair engines of every maker.'],
  ['Do you sell gift vouchers?', 'Vouchers start at 50 euros.'],
  ['What is your phone number?', 'Our phone number is 020 7946 0000.'],
  ['What is your address?', 'Our address is Dorset Street 1.'],
  ['Are there jobs?', 'Jobs are on our page.'],
].map(([question = '', answer = '']) => ({ question, answer }));

it.each([
  ['German', 'Liefern Sie auch?', 'We ship within five days.'],
  ['French', 'Est-ce que vous livrez ?', 'We ship within five days.'],
  ['Spanish', '¿Abren hoy?', 'We open at nine.'],
  ['Japanese', '営業時間', 'We open at nine.'],
])(
  'the knowledge search finds an English passage for a question in %s',
  async (_, question, answer) => {
    await knowledge.add({ type: 'FAQ', faq: english });
    const [first, second] = await knowledge.search(question);

    expect(first.text).toContain(answer);
    expect(first.score).toBeGreaterThan(0.9);
    expect(second.score).toBeLessThan(0.1);
  },
);

it('the knowledge search finds a German passage for a question in English', async () => {
  await knowledge.add({ type: 'TEXT', text: 'Hunde sind an der Leine willkommen.' });
  await knowledge.add({ type: 'TEXT', text: 'Wir liefern in fünf Tagen.' });

  expect(await knowledge.search('Do you deliver?', 1)).toMatchObject([
    { text: 'Wir liefern in fünf Tagen.' },
  ]);
});

it('an agent answers a customer from a passage in another language', async () => {
  const source = await knowledge.add({ type: 'FAQ', faq: english });
  const world = replySetup(knowledge.owner);
  const account = await world.account();
  await world.agent({ knowledgeSourceIds: [source.id] });
  await world.say(account, {
    type: 'message',
    text: '¿Horarios? ¿Abren hoy?',
    from: newCustomer(),
  });
  await world.workOff();
  const [conversation] = await world.conversations(account);
  const [trace] = await world.trace(conversation.id);

  expect(trace.reply.passages[0].text).toContain('We open at nine.');
  expect(trace.reply.passages).toHaveLength(8);
  expect(trace.reply.outcome).toBe('SENT');
});
