import OpenAI from 'openai';
import { beforeEach, describe, expect, test } from 'vitest';
import { startSetup } from './setup.ts';

let world: Awaited<ReturnType<typeof startSetup>>;
let openai: OpenAI;

beforeEach(async () => {
  world = await startSetup();
  openai = new OpenAI({
    apiKey: 'sk-sandbox',
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
  ] as const)('reject an unsupported effort of %s: %s', async (model, effort) => {
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

describe('parameters', () => {
  const object = (properties: object, others: object = {}) => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
    ...others,
  });
  const strictly = (schema: object) => ({
    response_format: { type: 'json_schema', json_schema: { name: 'reply', strict: true, schema } },
  });
  const text = { type: 'string' };
  const valid = object({ reply: text, tags: { type: 'array', items: object({ name: text }) } });

  async function errorOf(parameters: object) {
    try {
      await openai.chat.completions.create({
        model: 'gpt-4.1-mini',
        messages: [{ role: 'user', content: 'What does an engine cost?' }],
        ...parameters,
      });
    } catch (failure) {
      const { status, param, message } = failure as InstanceType<typeof OpenAI.APIError>;

      return [status, param, message];
    }

    return 'accepted';
  }

  test.each([
    [{ max_tokens: 100 }],
    [{ max_tokens: 100, reasoning_effort: 'none' }],
    [{ presence_penalty: 1 }],
    [{ frequency_penalty: 1 }],
    [{ logit_bias: { 1: 1 } }],
    [{ top_p: 0.5 }],
  ])('reject %j for a reasoning model', async (parameters) => {
    const [param] = Object.keys(parameters);

    expect(await errorOf({ model: 'gpt-6-luna', ...parameters })).toEqual([
      400,
      param,
      expect.stringContaining(
        `Unsupported parameter: '${param}' is not supported with this model.`,
      ),
    ]);
  });

  test('limit the answer of other models by max_tokens', async () => {
    expect(await ask('gpt-4.1-mini', { max_tokens: 2 })).toMatchObject({
      choice: { finish_reason: 'length' },
      usage: { completion_tokens: 2 },
    });
    expect(await errorOf({ max_tokens: 2, max_completion_tokens: 2 })).toContain(400);
  });

  test('accept a strict schema, and one that is not strict', async () => {
    expect(await errorOf(strictly(valid))).toBe('accepted');
    const { json_schema, type } = strictly({ type: 'object', properties: {} }).response_format;
    expect(
      await errorOf({ response_format: { type, json_schema: { ...json_schema, strict: false } } }),
    ).toBe('accepted');
  });

  test.each([
    [object({ reply: text }, { additionalProperties: undefined }), '()'],
    [object({ reply: text }, { additionalProperties: true }), '()'],
    [object({ reply: text }, { required: [] }), "Missing 'reply'"],
    [object({ reply: text }, { required: undefined }), "Missing 'reply'"],
    [object({ reply: text }, { required: ['reply', 'more'] }), "'more'"],
    [object({ a: { type: 'object', properties: {} } }), "('properties', 'a')"],
    [object({ a: { type: ['object', 'null'], properties: {} } }), "('properties', 'a')"],
    [
      object({ a: { type: 'array', items: { type: 'object', properties: {} } } }),
      "('properties', 'a', 'items')",
    ],
    [object({ a: { anyOf: [text, { type: 'object', properties: {} }] } }), "'anyOf', '1')"],
    [object({ a: { oneOf: [text] } }), "'oneOf' is not permitted"],
    [object({}, { $defs: { a: { type: 'object', properties: {} } } }), "('$defs', 'a')"],
  ])('reject the strict schema %j', async (schema, detail) => {
    expect(await errorOf(strictly(schema))).toEqual([
      400,
      'response_format',
      expect.stringMatching(/Invalid schema for response_format 'reply': In context=/),
    ]);
    expect((await errorOf(strictly(schema)))[2]).toContain(detail);
  });

  test.each([
    [{ maximum_tokens: 5 }, null],
    [{ response_format: { type: 'json_object' } }, 'messages'],
    [{ stream_options: { include_usage: true } }, 'stream_options'],
    [
      { response_format: { type: 'json_schema', json_schema: { name: 'a b', schema: valid } } },
      /^response_format/,
    ],
    [{ temperature: 3 }, 'temperature'],
    [{ messages: [] }, 'messages'],
    [{ messages: [{ role: 'person', content: 'Hello' }] }, /^messages/],
  ])('reject %j', async (parameters, param) => {
    const expected = param instanceof RegExp ? expect.stringMatching(param) : param;

    expect(await errorOf(parameters)).toEqual([400, expected, expect.any(String)]);
  });

  test('accept parts of a text, several choices and documented options', async () => {
    const { choices } = await openai.chat.completions.create({
      model: 'gpt-4.1-mini',
      n: 2,
      store: false,
      seed: 1,
      user: 'ada',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'An engine?' }] }],
    });

    expect(choices).toHaveLength(2);
    expect(choices[1]?.message.content).toContain('An engine?');
  });
});

describe('streams', () => {
  const request = {
    model: 'gpt-4.1-mini',
    messages: [{ role: 'user', content: 'What does an engine cost?' }],
  } as const satisfies OpenAI.ChatCompletionCreateParamsNonStreaming;

  test('contain the same answer as events', async () => {
    const whole = await openai.chat.completions.create(request);
    const stream = await openai.chat.completions.create({
      ...request,
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of stream) {
      chunks.push(chunk);
    }
    const choices = chunks.flatMap(({ choices }) => choices);

    expect(choices.map(({ delta }) => delta.content ?? '').join('')).toBe(
      whole.choices[0]?.message.content,
    );
    expect(choices.at(-1)?.finish_reason).toBe('stop');
    expect(chunks.at(-1)?.usage).toEqual(whole.usage);
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    expect(chunks.length).toBeGreaterThan(5);
  });

  test('report invalid requests as a JSON document', async () => {
    await expect(
      openai.chat.completions.create({
        ...request,
        model: 'gpt-6-luna',
        max_tokens: 5,
        stream: true,
      }),
    ).rejects.toMatchObject({ status: 400, param: 'max_tokens' });
  });
});

describe('API key', () => {
  const statusOf = async (apiKey: string) => {
    try {
      await openai.withOptions({ apiKey }).models.retrieve('gpt-6-luna');
    } catch (failure) {
      const { status, code, message } = failure as InstanceType<typeof OpenAI.APIError>;

      return [status, code, message];
    }

    return 200;
  };

  test.each([
    ['sk-wrong', 'sk-wrong'],
    ['sk-sandbox-another', 'sk-sandb******ther'],
    ['sk_test_sandbox', 'sk_test_***dbox'],
  ])('rejects %s', async (key, shown) => {
    expect(await statusOf(key)).toEqual([
      401,
      'invalid_api_key',
      expect.stringContaining(`Incorrect API key provided: ${shown}.`),
    ]);
  });

  test('can be rotated', async () => {
    await world.control.setApiKeys('openai', ['sk-sandbox', 'sk-rotated']);
    expect([await statusOf('sk-sandbox'), await statusOf('sk-rotated')]).toEqual([200, 200]);

    await world.control.setApiKeys('openai', ['sk-rotated']);
    expect(await statusOf('sk-sandbox')).toContain('invalid_api_key');
    expect(await statusOf('sk-rotated')).toBe(200);
  });

  test.each([
    ['POST', '/v1/responses', 'sk-sandbox'],
    ['POST', '/v1/nonsense', 'sk-sandbox'],
    ['POST', '/v1/chat/completion', 'sk-sandbox'],
    ['GET', '/v1/nonsense', 'sk-sandbox'],
    ['DELETE', '/v1/models/gpt-6-luna', 'sk-sandbox'],
    ['POST', '/v1/responses', 'wrong'],
  ])(
    'returns 404 for unknown addresses, whatever the key: %s %s (%s)',
    async (method, path, key) => {
      const response = await fetch(`${world.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${key}` },
      });

      expect([response.status, (await response.json()).error]).toEqual([
        404,
        expect.objectContaining({ message: `Invalid URL (${method} ${path})` }),
      ]);
    },
  );

  test('leaves unknown addresses of Stripe to Stripe', async () => {
    const response = await fetch(`${world.url}/v1/nonsense`, {
      headers: { authorization: 'Bearer sk_test_sandbox' },
    });

    expect([response.status, (await response.json()).error.message]).toEqual([
      404,
      expect.stringContaining('Unrecognized request URL (GET: /v1/nonsense)'),
    ]);
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

describe('configured answers', () => {
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

describe('the field covered', () => {
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
  async function embed(input: OpenAI.EmbeddingCreateParams['input'], parameters: object = {}) {
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

  test('never have equal similarity for two different words', async () => {
    const words = Array.from({ length: 2_048 }, (_, index) => `word${index}`);
    const { vectors = [] } = await embed(words, { dimensions: 32 });

    expect(new Set(vectors.map((vector) => vector.join())).size).toBe(words.length);
  });

  test('are not zero for a text without words', async () => {
    const { vectors = [] } = await embed(['?', '🙂', ' ']);

    expect(vectors.map((vector) => Math.hypot(...vector).toFixed(4))).toEqual(
      Array.from({ length: 3 }, () => '1.0000'),
    );
    expect(cosine(vectors[0], vectors[1])).toBeLessThan(0.2);
  });

  test('can be shortened', async () => {
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
    ['no tokens', [[]], {}, 'input'],
    ['an unknown parameter', 'a', { dimension: 5 }, null],
  ])('reject %s', async (_, input, parameters, param) => {
    expect(await embed(input, parameters)).toEqual({ status: 400, param });
  });

  test('accept tokens', async () => {
    expect((await embed([1, 2, 3])).vectors).toHaveLength(1);
    expect((await embed([[1], [2, 3]], { user: 'ada' })).vectors).toHaveLength(2);
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
