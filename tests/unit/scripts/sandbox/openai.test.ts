import OpenAI from 'openai';
import { beforeEach, describe, expect, test } from 'vitest';
import { startWorld } from './sandbox-world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
let openai: OpenAI;

beforeEach(async () => {
  world = await startWorld();
  openai = new OpenAI({
    apiKey: 'sk-test',
    baseURL: `http://127.0.0.1:${world.port}/v1`,
    maxRetries: 0,
  });
});

type Parameters = Partial<OpenAI.ChatCompletionCreateParamsNonStreaming>;

async function ask(model: string, parameters: Parameters = {}) {
  const messages = [{ role: 'user', content: 'What does an engine cost?' }] as const;
  try {
    const { choices, usage } = await openai.chat.completions.create({
      model,
      messages: [...messages],
      ...parameters,
    });

    return { status: 200, choice: choices[0], usage };
  } catch (failure) {
    const { status, code, param } = failure as InstanceType<typeof OpenAI.APIError>;

    return { status, code, param };
  }
}

describe('chat completions of a reasoning model', () => {
  test.each(['gpt-6-luna', 'gpt-5.6-luna', 'gpt-5-mini', 'o4-mini'])(
    'reject the request for a model that does not reason (%s)',
    async (model) => {
      expect(await ask(model, { temperature: 0.3, max_completion_tokens: 800 })).toEqual({
        status: 400,
        code: 'unsupported_value',
        param: 'temperature',
      });
    },
  );

  test.each([
    ['gpt-6-luna', 'minimal'],
    ['gpt-5-mini', 'none'],
    ['o4-mini', 'minimal'],
  ] as const)('reject an effort that %s does not have: %s', async (model, effort) => {
    expect(await ask(model, { reasoning_effort: effort })).toMatchObject({
      status: 400,
      param: 'reasoning_effort',
    });
  });

  test('accept a temperature if the model does not reason', async () => {
    const answer = await ask('gpt-6-luna', { temperature: 0.3, reasoning_effort: 'none' });

    expect(answer).toMatchObject({ status: 200, choice: { finish_reason: 'stop' } });
  });

  test('spend the token limit on reasoning by default', async () => {
    expect(await ask('gpt-6-luna', { max_completion_tokens: 800 })).toMatchObject({
      choice: { finish_reason: 'length', message: { content: '' } },
      usage: { completion_tokens_details: { reasoning_tokens: 1_024 } },
    });
  });
});

describe('chat completions of another model', () => {
  test('accept a temperature and reject a reasoning effort', async () => {
    expect(await ask('gpt-4.1-mini', { temperature: 0.3 })).toMatchObject({ status: 200 });
    expect(await ask('gpt-4.1-mini', { reasoning_effort: 'none' })).toMatchObject({ status: 400 });
  });
});

describe('a model', () => {
  test('is described without a shutdown date', async () => {
    expect(await openai.models.retrieve('gpt-6-luna')).toMatchObject({
      id: 'gpt-6-luna',
      shutdown_date: null,
    });
  });
});

describe('given answers', () => {
  const replyOf = async () => (await ask('gpt-4.1-mini', { response_format: format })).choice;
  const format = {
    type: 'json_schema' as const,
    json_schema: {
      name: 'reply',
      schema: {
        type: 'object',
        properties: { reply: { type: 'string' }, confidence: { type: 'number' } },
      },
    },
  };

  test('replace the fields of matching answers, as often as requested', async () => {
    const reply = 'Ten pounds';
    await world.control.giveAiAnswer({ contains: 'engine cost', reply, confidence: 1, times: 1 });
    const [first, second] = [await replyOf(), await replyOf()];

    expect(JSON.parse(first?.message.content ?? '')).toEqual({ reply, confidence: 1 });
    expect(second?.message.content).not.toContain(reply);
  });
});

describe('covered', () => {
  const format = {
    type: 'json_schema' as const,
    json_schema: {
      name: 'reply',
      schema: { type: 'object', properties: { covered: { type: 'boolean' } } },
    },
  };
  const coveredOf = async () =>
    JSON.parse(
      (await ask('gpt-4.1-mini', { response_format: format })).choice?.message.content ?? '',
    );

  test('is true, unless a rule says otherwise', async () => {
    const before = await coveredOf();
    await world.control.giveAiAnswer({ contains: 'engine cost', covered: false });

    expect([before, await coveredOf()]).toEqual([{ covered: true }, { covered: false }]);
  });
});

describe('embeddings', () => {
  async function embed(input: string | string[], parameters: object = {}) {
    try {
      const { data, usage } = await openai.embeddings.create({
        model: 'text-embedding-3-small',
        input,
        ...parameters,
      });

      return { vectors: data.map(({ embedding }) => embedding), tokens: usage.total_tokens };
    } catch (failure) {
      const { status, param } = failure as InstanceType<typeof OpenAI.APIError>;

      return { status, param };
    }
  }

  const cosine = (one: readonly number[] = [], other: readonly number[] = []) =>
    one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);

  test('are the sum of the words, whatever their order, case and form', async () => {
    const { vectors = [] } = await embed([
      'When do you open?',
      'OPEN you, do ＷＨＥＮ!',
      'We ship within five days',
      'When do they open?',
    ]);
    const [first, reordered, other, similar] = vectors;

    expect(first).toHaveLength(1_536);
    expect(cosine(first, first)).toBeCloseTo(1, 5);
    expect(first).toEqual(reordered);
    expect(Math.abs(cosine(first, other))).toBeLessThan(0.12);
    expect(cosine(first, similar)).toBeCloseTo(0.75, 1);
  });

  test('are the same as text and as numbers', async () => {
    const [asText, asNumbers] = [
      await embed('When do you open?', { encoding_format: 'base64' }),
      await embed('When do you open?', { encoding_format: 'float' }),
    ];
    // The client decodes base64 only if the caller sets no format.
    const bytes = Buffer.from(String(asText.vectors?.[0]), 'base64');

    expect(bytes).toHaveLength(1_536 * 4);
    expect(asNumbers.vectors?.[0]?.[7]).toBe(bytes.readFloatLE(7 * 4));
  });

  test('never tie for two words', async () => {
    const words = Array.from({ length: 2_048 }, (_, index) => `word${index}`);
    const { vectors = [] } = await embed(words, { dimensions: 32 });

    expect(new Set(vectors.map((vector) => vector.join())).size).toBe(words.length);
  });

  test('have a direction for a text without words', async () => {
    const { vectors = [] } = await embed(['?', '🙂', ' ']);

    expect(vectors.map((vector) => Math.hypot(...vector).toFixed(4))).toEqual(
      Array.from({ length: 3 }, () => '1.0000'),
    );
    expect(cosine(vectors[0], vectors[1])).toBeLessThan(0.2);
  });

  test('can be shorter', async () => {
    expect((await embed('a', { dimensions: 512 })).vectors?.[0]).toHaveLength(512);
  });

  test.each([
    ['an empty text', '', {}, 'input'],
    ['no texts', [], {}, 'input'],
    ['an empty text among others', ['a', ''], {}, 'input'],
    ['too many texts', Array.from({ length: 2_049 }, () => 'a'), {}, 'input'],
    ['a text that is too long', 'word '.repeat(10_000), {}, 'input'],
    ['no dimensions', 'a', { dimensions: 0 }, 'dimensions'],
    ['too many dimensions', 'a', { dimensions: 1_537 }, 'dimensions'],
    [
      'dimensions of an older model',
      'a',
      { model: 'text-embedding-ada-002', dimensions: 512 },
      'dimensions',
    ],
    ['another encoding', 'a', { encoding_format: 'hex' }, 'encoding_format'],
  ])('reject %s', async (_, input, parameters, param) => {
    expect(await embed(input, parameters)).toEqual({ status: 400, param });
  });

  test('reject another model', async () => {
    expect(await embed('a', { model: 'gpt-6-luna' })).toMatchObject({ status: 404 });
  });

  test('are recorded, and faults apply to them', async () => {
    await world.control.addFault({ service: 'openai', mode: 'error', status: 503, times: 1 });
    const { status } = await embed('engine 4711');
    await embed('engine 4711');
    const requests = await world.control.requests({ service: 'openai', contains: '4711' });

    expect(status).toBe(503);
    expect(requests.map(({ path, status: answered }) => [path, answered])).toEqual([
      ['/v1/embeddings', 503],
      ['/v1/embeddings', 200],
    ]);
  });
});
