import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { ApiError } from '#lib/errors/api-error.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { text } from '#schemas/common.ts';
import { contract, openToAll } from '#schemas/contract.ts';
import { gatewayEvent, lambdaContext } from '#tests/support/api.ts';
import { depth } from '#tests/support/depth.ts';

const echo = contract({
  operationId: 'echo',
  area: 'docs',
  method: 'POST',
  path: '/echo',
  summary: 'Says what it was told',
  access: openToAll,
  idempotent: false,
  body: z.object({ word: text({ min: 1, max: 100, example: 'x' }) }),
  response: z.object({ word: z.string() }),
});

afterEach(() => vi.restoreAllMocks());

/** The lines that go to the log: Powertools writes past the global console. */
function captureLog(): string[] {
  const lines: string[] = [];
  const keep = (chunk: unknown): boolean => {
    lines.push(String(chunk).replace(/\n$/, ''));

    return true;
  };
  vi.spyOn(process.stdout, 'write').mockImplementation(keep);
  vi.spyOn(process.stderr, 'write').mockImplementation(keep);

  return lines;
}

async function callEcho(
  operation: Parameters<typeof endpoint<typeof echo>>[1],
  body: unknown = { word: 'x' },
  headers: Record<string, string> = {},
) {
  const answer = await endpoint(echo, operation)(
    gatewayEvent(echo, { body, headers }),
    lambdaContext(),
  );

  return { ...answer, content: JSON.parse(String(answer.body)) };
}

const failing = (failure: unknown) => async () => {
  throw failure;
};

describe('an unexpected failure', () => {
  it.each<[string, unknown]>([
    ['an error', new TypeError('planted detail of the cause')],
    ['an error with a cause', new Error('planted', { cause: new Error('planted detail') })],
    [
      'an error with a status of its own',
      Object.assign(new Error('planted detail'), { statusCode: 418, expose: true }),
    ],
    ['no error at all', 'planted detail'],
    ['nothing', undefined],
  ])('that is %s is an opaque 500 whose request id the log has too', async (_, failure) => {
    const lines = captureLog();
    const answer = await callEcho(failing(failure));

    expect(answer.statusCode).toBe(500);
    expect(answer.content).toEqual({
      success: false,
      statusCode: 500,
      message: 'Internal server error',
      error: 'Internal Server Error',
    });
    expect(JSON.stringify(answer)).not.toContain('planted');
    const requestId = answer.headers?.['x-request-id'];
    const errors = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'ERROR');
    expect(errors).toEqual([expect.objectContaining({ requestId, message: 'request failed' })]);
  });

  it('is an answer that says more than its contract, or less', async () => {
    captureLog();
    const answer = await callEcho(async () => ({}) as { word: string });

    expect(answer.statusCode).toBe(500);
  });

  it.each(['ThrottlingException', 'ProvisionedThroughputExceededException', 'TimeoutError'])(
    'of the table is a 503 where it may pass: %s',
    async (name) => {
      captureLog();
      const answer = await callEcho(failing(Object.assign(new Error('planted'), { name })));

      expect(answer.statusCode).toBe(503);
      expect(answer.headers?.['retry-after']).toBe('1');
      expect(JSON.stringify(answer)).not.toContain('planted');
    },
  );
});

describe('an answer that is larger than Lambda hands over', () => {
  const list = contract({
    operationId: 'listWords',
    area: 'docs',
    method: 'GET',
    path: '/words',
    summary: 'List words',
    access: openToAll,
    query: z.object({ limit: z.string().optional() }),
    response: z.object({ words: z.array(z.string()) }),
  });
  const listing = (word: string, count: number) =>
    endpoint(list, async () => ({ words: Array(count).fill(word) }))(
      gatewayEvent(list, {}),
      lambdaContext(),
    );

  // In a string that stands in a string, a quote is of four bytes.
  it.each([
    ['letters', 'x'.repeat(995), 6_000],
    ['quotes', '"'.repeat(998), 1_500],
    ['signs of three bytes', '語'.repeat(999), 2_000],
  ])('is a 400 that names the limit, where it is of %s', async (_, word, count) => {
    captureLog();
    const [fits, tooLarge] = [await listing(word, count - 50), await listing(word, count + 50)];

    expect(fits.statusCode).toBe(200);
    expect(Buffer.byteLength(JSON.stringify(fits))).toBeLessThan(6 * 1024 * 1024);
    expect(tooLarge.statusCode).toBe(400);
    expect(JSON.parse(String(tooLarge.body)).message).toEqual([
      'limit is too high: the response would exceed 6 MB',
    ]);
  });

  it('is an opaque 500 in the log where no limit was asked for', async () => {
    const lines = captureLog();
    const answer = await callEcho(async () => ({ word: 'x'.repeat(6_000_000) }));

    expect(answer.statusCode).toBe(500);
    expect(lines.join()).toContain('The answer has 600');
  });
});

describe('a refusal', () => {
  it('is told as it is, with its fields and headers, and nothing of its cause', async () => {
    const lines = captureLog();
    const refusal = new ApiError('conflict', 'There is one already', {
      fields: { conflicting: 'this one' },
      headers: { 'x-hint': 'yes' },
      cause: new Error('planted'),
    });
    const answer = await callEcho(failing(refusal));

    expect(answer.statusCode).toBe(409);
    expect(answer.headers).toMatchObject({ 'x-hint': 'yes' });
    expect(answer.content).toEqual({
      success: false,
      statusCode: 409,
      message: 'There is one already',
      error: 'Conflict',
      conflicting: 'this one',
    });
    expect(lines.join()).not.toContain('planted');
  });
});

describe('an answer', () => {
  it('holds what the contract names and nothing else', async () => {
    captureLog();
    const operation = async () => ({ word: 'x', passwordHash: 'planted', pk: 'planted' });
    const answer = await callEcho(operation);

    expect(answer.content).toEqual({ success: true, word: 'x' });
  });

  it('carries the headers that all carry, whatever comes of the request', async () => {
    captureLog();
    const answers = [
      await callEcho(async ({ body }) => body),
      await callEcho(async ({ body }) => body, {}),
      await callEcho(failing(new Error('planted'))),
    ];

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 400, 500]);
    for (const { headers } of answers) {
      expect(headers).toMatchObject({
        'strict-transport-security': expect.stringMatching(/max-age=(\d{8,})/),
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
        'content-type': 'application/json; charset=utf-8',
        vary: 'origin',
      });
      expect(headers?.['x-request-id']).toBeTruthy();
    }
  });
});

describe('the request id', () => {
  it.each(['abc', 'A-Z_0.9', 'x'.repeat(64)])("is the client's own where it is %s", async (id) => {
    captureLog();
    const { headers } = await callEcho(
      async ({ body }) => body,
      { word: 'x' },
      { 'x-request-id': id },
    );

    expect(headers?.['x-request-id']).toBe(id);
  });

  it.each(['', 'x'.repeat(65), 'a b', 'a\nb', 'a\r\nSet-Cookie: a=b', 'a\n', 'ä', '<script>'])(
    'is one of ours where the client sends "%s"',
    async (id) => {
      captureLog();
      const { headers } = await callEcho(
        async ({ body }) => body,
        { word: 'x' },
        { 'x-request-id': id },
      );

      expect(headers?.['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    },
  );
});

describe('a body', () => {
  const taken = async ({ body }: { body: { word: string } }) => body;

  it.each<[string, unknown, string]>([
    ['is not JSON', '{"word":', 'Request body must be a valid JSON object'],
    ['is a list', '[]', 'Request body must be a valid JSON object'],
    ['is null', 'null', 'Request body must be a valid JSON object'],
    ['is a number', '7', 'Request body must be a valid JSON object'],
    ['is empty', '', 'word is required'],
    [
      'is nested too deep',
      `{"word":${'['.repeat(40)}${']'.repeat(40)}}`,
      'Request body must not be nested deeper than 32 levels',
    ],
  ])('that %s is refused with one message', async (_, body, message) => {
    captureLog();
    const answer = await callEcho(taken, body);

    expect(answer.statusCode).toBe(400);
    expect(answer.content.message).toEqual([message]);
  });

  it('of more than 1 MiB is refused with 413, one of exactly that is read', async () => {
    captureLog();
    const padded = (bytes: number) => `{"word":"x"}${' '.repeat(bytes - 12)}`;

    expect((await callEcho(taken, padded(2 ** 20))).statusCode).toBe(200);
    expect((await callEcho(taken, padded(2 ** 20 + 1))).statusCode).toBe(413);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', ''])(
    'of the content type "%s" is refused with 415',
    async (type) => {
      captureLog();

      expect((await callEcho(taken, { word: 'x' }, { 'content-type': type })).statusCode).toBe(415);
    },
  );

  it.each(['application/json ; charset=utf-8', 'Application/JSON\t;charset=utf-8'])(
    'of the content type "%s" is read',
    async (type) => {
      captureLog();

      expect((await callEcho(taken, { word: 'x' }, { 'content-type': type })).statusCode).toBe(200);
    },
  );

  it('may hold fields that nobody knows, which do nothing', async () => {
    captureLog();
    const answer = await callEcho(taken, { word: 'x', id: 7, role: 'OWNER', pk: 'USER#1' });

    expect(answer.content).toEqual({ success: true, word: 'x' });
  });

  it.each([
    '{"word":"x","__proto__":{"polluted":true}}',
    '{"word":"x","a":{"__proto__":{"polluted":1}}}',
  ])('with a key that could change a prototype is refused: %s', async (body) => {
    captureLog();

    expect((await callEcho(taken, body)).statusCode).toBe(400);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('of whatever JSON never ends in a 500', async () => {
    captureLog();
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.json(),
          fc.string(),
          fc
            .record({ word: fc.anything() })
            .map((value) =>
              JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? null : one)),
            ),
        ),
        async (body) => {
          const { statusCode, content } = await callEcho(taken, body);
          expect([200, 400]).toContain(statusCode);
          expect(content.statusCode ?? 200).toBe(statusCode);
        },
      ),
      { numRuns: depth(200) },
    );
  });
});

describe('the log', () => {
  const planted = {
    password: 'pl4nted-password',
    token: 'pl4nted.bearer.token',
    cookie: 'pl4nted-cookie',
    paymentMethodId: 'pm_pl4nted',
  };

  it.each<[string, () => Promise<{ word: string }>]>([
    ['succeeds', async () => ({ word: 'x' })],
    ['is refused', failing(new ApiError('badRequest', 'no'))],
    ['fails', failing(new Error('unexpected'))],
  ])('has one line of a request that %s, and no secret of it', async (_, operation) => {
    const lines = captureLog();
    const body = { word: planted.password, ...planted };
    const headers = {
      authorization: `Bearer ${planted.token}`,
      cookie: planted.cookie,
      'user-agent': planted.cookie,
    };
    const answer = await callEcho(operation, body, headers);

    expect(lines.join('\n')).not.toMatch(/pl4nted/);
    const requests = lines
      .map((line) => JSON.parse(line))
      .filter(({ message }) => message === 'request');
    expect(requests).toEqual([
      expect.objectContaining({
        requestId: answer.headers?.['x-request-id'],
        operation: 'echo',
        route: 'POST /echo',
        statusCode: answer.statusCode,
        durationMs: expect.any(Number),
      }),
    ]);
  });

  it('cannot be given a line by what a caller sends', async () => {
    const lines = captureLog();
    const forged = '\r\n{"level":"ERROR","message":"forged"}\n';
    await callEcho(
      failing(new Error(`unexpected ${forged}`)),
      { word: forged },
      {
        'user-agent': forged,
        'x-request-id': forged,
      },
    );

    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      expect(line).not.toMatch(/[\r\n]/);
      expect(JSON.parse(line).message).not.toBe('forged');
    }
  });
});
