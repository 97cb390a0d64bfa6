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
      return { status: (failure as InstanceType<typeof OpenAI.APIError>).status };
    }
  }

  test('are the same for the same meaning, in any language and encoding', async () => {
    const { vectors = [] } = await embed(['When do you open?', 'Wann sind Sie geöffnet?', 'Hm']);
    const [english = [], german = [], other] = vectors;
    const asFloats = await embed('When do you open?', { encoding_format: 'float' });

    expect(english).toHaveLength(1_536);
    expect(Math.hypot(...english)).toBeCloseTo(1, 4);
    expect(english).toEqual(german);
    expect(english).not.toEqual(other);
    expect(asFloats.vectors?.[0]?.map(Math.fround)).toEqual(english);
  });

  test('can be shorter', async () => {
    expect((await embed('a', { dimensions: 512 })).vectors?.[0]).toHaveLength(512);
  });

  test.each([
    ['an empty text', '', {}, 400],
    ['too many texts', Array.from({ length: 2_049 }, () => 'a'), {}, 400],
    ['a text that is too long', 'word '.repeat(10_000), {}, 400],
    ['too many dimensions', 'a', { dimensions: 1_537 }, 400],
    ['another model', 'a', { model: 'gpt-6-luna' }, 404],
  ])('reject %s', async (_, input, parameters, status) => {
    expect(await embed(input, parameters)).toEqual({ status });
  });
});
