import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { apiError, badRequest } from '#lib/platform/errors/failures.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { text } from '#schemas/common.ts';
import { type Contract, contract, openToAll } from '#schemas/contract.ts';
import { gatewayEvent, lambdaContext } from '#tests/support/api.ts';
import { depth } from '#tests/support/depth.ts';
import { errorBodyOf } from '#tests/support/error-body.ts';

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

describe('deprecations', () => {
  const operation = { since: '2026-11-28', until: '2027-11-28', instead: 'Use say.' };
  const field = { since: '2026-12-24', until: '2028-01-01', instead: 'Use text.' };
  const headersOf = async (
    deprecations: Pick<Contract, 'deprecated' | 'deprecatedFields'>,
    body: unknown,
  ) => {
    captureLog();
    const deprecated = contract({ ...echo, ...deprecations });
    const { headers = {} } = await endpoint(deprecated, async () => ({ word: 'x' }))(
      gatewayEvent(deprecated, { body }),
      lambdaContext(),
    );

    return { deprecation: headers.deprecation, sunset: headers.sunset };
  };
  const ofOperation = { deprecation: '@1795824000', sunset: 'Sun, 28 Nov 2027 00:00:00 GMT' };
  const ofField = { deprecation: '@1798070400', sunset: 'Sat, 01 Jan 2028 00:00:00 GMT' };
  const none = { deprecation: undefined, sunset: undefined };

  it.each([
    ['an operation', { deprecated: operation }, { word: 'x' }, ofOperation],
    ['an operation, on errors', { deprecated: operation }, {}, ofOperation],
    [
      'a field of the request',
      { deprecatedFields: { tone: field } },
      { word: 'x', tone: 1 },
      ofField,
    ],
    ['a field of the response', { deprecatedFields: { word: field } }, {}, ofField],
    ['a field that is not used', { deprecatedFields: { tone: field } }, { word: 'x' }, none],
    [
      'both, with the earliest dates',
      { deprecated: operation, deprecatedFields: { word: field } },
      { word: 'x' },
      ofOperation,
    ],
    ['nothing', {}, { word: 'x' }, none],
  ])('are announced by headers: %s', async (_, deprecations, body, expected) => {
    expect(await headersOf(deprecations, body)).toEqual(expected);
  });
});

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
    expect(answer.content).toEqual(
      errorBodyOf('INTERNAL_ERROR', 'Internal server error', { requestId: expect.any(String) }),
    );
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
    const refusal = apiError('CONTACT_EXISTS', 'There is one already', {
      fields: { conflicting: 'this one' },
      headers: { 'x-hint': 'yes' },
      cause: new Error('planted'),
    });
    const answer = await callEcho(failing(refusal));

    expect(answer.statusCode).toBe(409);
    expect(answer.headers).toMatchObject({ 'x-hint': 'yes' });
    expect(answer.content).toEqual(
      errorBodyOf('CONTACT_EXISTS', 'There is one already', {
        conflicting: 'this one',
        requestId: expect.any(String),
      }),
    );
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

  it('ignores unknown fields and warns about them', async () => {
    captureLog();
    const answer = await callEcho(taken, { word: 'x', id: 7, wrod: 'y' });

    expect(answer.content).toEqual({
      success: true,
      word: 'x',
      warnings: ['id is not a field of this request.', 'wrod is not a field of this request.'],
    });
  });

  it('warns about unknown fields of a rejected request, too', async () => {
    captureLog();
    const { content } = await callEcho(taken, { wrod: 'x' });

    expect(content.message).toEqual(['word is required']);
    expect(content.warnings).toEqual(['wrod is not a field of this request. Did you mean word?']);
  });

  it.each([
    'handling=strict',
    'respond-async, Handling="strict"; foo',
    'handling = strict, handling=lenient',
  ])('rejects unknown fields together with the other errors for Prefer: %s', async (prefer) => {
    captureLog();
    const { content, statusCode } = await callEcho(taken, { wrod: 'x' }, { prefer });
    const message = ['word is required', 'wrod is not a field of this request. Did you mean word?'];

    expect(statusCode).toBe(400);
    expect(content).toMatchObject({
      code: 'VALIDATION_FAILED',
      message,
      issues: [
        { in: 'body', path: 'word', rule: 'required', message: message[0] },
        { in: 'body', path: 'wrod', rule: 'unknown', message: message[1] },
      ],
    });
    expect(content).not.toHaveProperty('warnings');
  });

  it.each([
    'handling=lenient',
    'handling=lenient, handling=strict',
    'xhandling=strict',
    'strict',
    'wait; handling=strict',
  ])('accepts unknown fields for Prefer: %s', async (prefer) => {
    captureLog();

    expect((await callEcho(taken, { word: 'x', a: 1 }, { prefer })).statusCode).toBe(200);
  });

  it('rejects unknown fields of strict operations without the header', async () => {
    captureLog();
    const strict = contract({ ...echo, strict: true });
    const event = gatewayEvent(strict, {
      body: { word: 'x', a: 1 },
      query: { b: '2' },
      headers: { prefer: 'handling=lenient' },
    });
    const answer = await endpoint(strict, taken)(event, lambdaContext());

    expect(JSON.parse(String(answer.body))).toMatchObject({
      statusCode: 400,
      message: ['a is not a field of this request.'],
      warnings: ['b is not a field of this request.'],
    });
  });

  it('returns the request id in the body of an error', async () => {
    captureLog();
    const { content, headers } = await callEcho(taken, {}, { 'x-request-id': 'mine-1' });

    expect(headers).toMatchObject({ 'x-request-id': 'mine-1' });
    expect(content.requestId).toBe('mine-1');
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

describe('rules of an endpoint', () => {
  const order = contract({
    ...echo,
    query: z.object({ page: z.string().optional(), cursor: z.string().optional() }),
    body: z.object({
      kind: z.enum(['A', 'B']),
      size: z.int().max(9).default(1),
      note: text({ max: 3, example: 'x' }).optional(),
    }),
    response: z.object({}),
  });
  const handler = endpoint(order, async () => ({}), {
    rules: ({ body: { kind, size, note } }) => [
      ...(kind === 'A' && note === undefined ? ['note is required for A'] : []),
      ...(size === 2 ? ['size must not be 2'] : []),
    ],
  });
  const problemsOf = async (body: object, query: Record<string, string> = {}) => {
    captureLog();
    const event = gatewayEvent(order, { body, query });
    const { body: answer } = await handler(event, lambdaContext());

    return JSON.parse(String(answer)).message;
  };

  it.each<[object, readonly string[]]>([
    [{ kind: 'A' }, ['note is required for A']],
    [{ kind: 'A', size: 2 }, ['note is required for A', 'size must not be 2']],
    [
      { kind: 'C', size: 2, note: 'long' },
      [
        'kind must be one of the following values: A, B',
        'note must be shorter than or equal to 3 characters',
        'size must not be 2',
      ],
    ],
    [{ kind: 'A', note: 'long' }, ['note must be shorter than or equal to 3 characters']],
    [{}, ['kind is required']],
  ])('report all errors of %j together', async (body, messages) => {
    expect(await problemsOf(body)).toEqual(messages);
  });

  it('report a page with a cursor together with other errors', async () => {
    expect(await problemsOf({ kind: 'C' }, { page: '1', cursor: 'x' })).toEqual([
      'kind must be one of the following values: A, B',
      'page cannot be combined with cursor',
    ]);
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
    ['is rejected', failing(badRequest('no'))],
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
