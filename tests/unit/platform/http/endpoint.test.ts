import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { ApiError } from '#lib/platform/errors/api-error.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
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

/** Captures log lines. Powertools bypasses the global console, so this mocks the process streams. */
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

describe('unexpected errors', () => {
  it.each<[string, unknown]>([
    ['an error', new TypeError('planted detail of the cause')],
    ['an error with a cause', new Error('planted', { cause: new Error('planted detail') })],
    [
      'an error with its own status',
      Object.assign(new Error('planted detail'), { statusCode: 418, expose: true }),
    ],
    ['a string', 'planted detail'],
    ['undefined', undefined],
  ])('returns an opaque 500 for %s and logs the request id', async (_, failure) => {
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

  it('returns 500 for a response that does not match its contract', async () => {
    captureLog();
    const answer = await callEcho(async () => ({}) as { word: string });

    expect(answer.statusCode).toBe(500);
  });

  it.each(['ThrottlingException', 'ProvisionedThroughputExceededException', 'TimeoutError'])(
    'returns 503 for a transient DynamoDB error: %s',
    async (name) => {
      captureLog();
      const answer = await callEcho(failing(Object.assign(new Error('planted'), { name })));

      expect(answer.statusCode).toBe(503);
      expect(answer.headers?.['retry-after']).toBe('1');
      expect(JSON.stringify(answer)).not.toContain('planted');
    },
  );
});

describe('responses above the Lambda size limit', () => {
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

  // A quote takes four bytes when its JSON string is nested in another JSON string.
  it.each([
    ['ASCII letters', 'x'.repeat(995), 6_000],
    ['quotes', '"'.repeat(998), 1_500],
    ['three-byte characters', '語'.repeat(999), 2_000],
  ])('returns 400 with a hint to lower the limit, for %s', async (_, word, count) => {
    captureLog();
    const [fits, tooLarge] = [await listing(word, count - 50), await listing(word, count + 50)];

    expect(fits.statusCode).toBe(200);
    expect(Buffer.byteLength(JSON.stringify(fits))).toBeLessThan(6 * 1024 * 1024);
    expect(tooLarge.statusCode).toBe(400);
    expect(JSON.parse(String(tooLarge.body)).message).toEqual([
      'limit is too high: the response would exceed 6 MB',
    ]);
  });

  it('returns an opaque 500 and logs the size when there is no limit', async () => {
    const lines = captureLog();
    const answer = await callEcho(async () => ({ word: 'x'.repeat(6_000_000) }));

    expect(answer.statusCode).toBe(500);
    expect(lines.join()).toContain('The answer has 600');
  });
});

describe('endpoint with an ApiError', () => {
  it('returns the fields and headers of the error, but not its cause', async () => {
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

describe('endpoint responses', () => {
  it('returns only the fields of the contract', async () => {
    captureLog();
    const operation = async () => ({ word: 'x', passwordHash: 'planted', pk: 'planted' });
    const answer = await callEcho(operation);

    expect(answer.content).toEqual({ success: true, word: 'x' });
  });

  it('returns the common headers for every outcome', async () => {
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

describe('request id', () => {
  it.each(['abc', 'A-Z_0.9', 'x'.repeat(64)])('accepts %s from the client', async (id) => {
    captureLog();
    const { headers } = await callEcho(
      async ({ body }) => body,
      { word: 'x' },
      { 'x-request-id': id },
    );

    expect(headers?.['x-request-id']).toBe(id);
  });

  it.each(['', 'x'.repeat(65), 'a b', 'a\nb', 'a\r\nSet-Cookie: a=b', 'a\n', 'ä', '<script>'])(
    'generates an id when the client sends "%s"',
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

describe('request body', () => {
  const taken = async ({ body }: { body: { word: string } }) => body;

  it.each<[string, unknown, string]>([
    ['is not JSON', '{"word":', 'Request body must be a valid JSON object'],
    ['is a list', '[]', 'Request body must be a valid JSON object'],
    ['is null', 'null', 'Request body must be a valid JSON object'],
    ['is a number', '7', 'Request body must be a valid JSON object'],
    ['is empty', '', 'word is required'],
    [
      'is nested too deeply',
      `{"word":${'['.repeat(40)}${']'.repeat(40)}}`,
      'Request body must not be nested deeper than 32 levels',
    ],
  ])('rejects a body that %s with one message', async (_, body, message) => {
    captureLog();
    const answer = await callEcho(taken, body);

    expect(answer.statusCode).toBe(400);
    expect(answer.content.message).toEqual([message]);
  });

  it('accepts 1 MiB and returns 413 above it', async () => {
    captureLog();
    const padded = (bytes: number) => `{"word":"x"}${' '.repeat(bytes - 12)}`;

    expect((await callEcho(taken, padded(2 ** 20))).statusCode).toBe(200);
    expect((await callEcho(taken, padded(2 ** 20 + 1))).statusCode).toBe(413);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', ''])(
    'returns 415 for the content type "%s"',
    async (type) => {
      captureLog();

      expect((await callEcho(taken, { word: 'x' }, { 'content-type': type })).statusCode).toBe(415);
    },
  );

  it.each(['application/json ; charset=utf-8', 'Application/JSON\t;charset=utf-8'])(
    'accepts the content type "%s"',
    async (type) => {
      captureLog();

      expect((await callEcho(taken, { word: 'x' }, { 'content-type': type })).statusCode).toBe(200);
    },
  );

  it('ignores unknown fields', async () => {
    captureLog();
    const answer = await callEcho(taken, { word: 'x', id: 7, role: 'OWNER', pk: 'USER#1' });

    expect(answer.content).toEqual({ success: true, word: 'x' });
  });

  it.each([
    '{"word":"x","__proto__":{"polluted":true}}',
    '{"word":"x","a":{"__proto__":{"polluted":1}}}',
  ])('rejects keys that could change a prototype: %s', async (body) => {
    captureLog();

    expect((await callEcho(taken, body)).statusCode).toBe(400);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('never returns 500 for any JSON', async () => {
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

describe('request log', () => {
  const planted = {
    password: 'pl4nted-password',
    token: 'pl4nted.bearer.token',
    cookie: 'pl4nted-cookie',
    paymentMethodId: 'pm_pl4nted',
  };

  it.each<[string, () => Promise<{ word: string }>]>([
    ['succeeds', async () => ({ word: 'x' })],
    ['is rejected', failing(new ApiError('badRequest', 'no'))],
    ['fails', failing(new Error('unexpected'))],
  ])('writes one line for a request that %s, without secrets', async (_, operation) => {
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

  it('cannot be forged through line breaks in a request', async () => {
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
