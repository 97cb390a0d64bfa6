import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApiError } from '#lib/platform/errors/api-error.ts';
import { publicFailure } from '#lib/platform/http/middleware/error-envelope.ts';
import { jsonBody } from '#lib/platform/http/middleware/json-body.ts';
import { validate } from '#lib/platform/http/middleware/validate.ts';
import type { Contract } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import type { JsonSchema } from '#scripts/build/generate/openapi/json-schema.ts';
import { type Answer, type Call, gatewayEvent, lambdaContext } from '#tests/support/api.ts';
import { type BadValue, badQueryValues, badValues } from '#tests/support/registry/bad-values.ts';
import {
  exampleOf,
  type Field,
  fieldsOf,
  valueAt,
  withValue,
} from '#tests/support/registry/fields.ts';
import type { Body } from '#tests/support/registry/fixture.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { probe, probeWith } from '#tests/support/registry/probe.ts';
import { newWorld, type World } from '#tests/support/registry/world.ts';
import { unknownParams } from '#tests/support/registry/worlds.ts';

let world: World;

beforeAll(async () => {
  liftRateLimits();
  world = await newWorld();
});

function asOwner(contract: Contract, call: Call): Call {
  const { token } = world.people.OWNER;

  return {
    params: unknownParams(contract, world),
    ...(contract.access.kind === 'public' ? {} : { token }),
    ...call,
  };
}

const accepted = new Error('The input was accepted');

/**
 * Runs only the endpoint's input validation, because there are thousands of values. Other tests
 * show that each handler returns its result.
 */
async function refusalOf(contract: Contract, call: Call): Promise<ApiError> {
  const event = { ...gatewayEvent(contract, call), state: { input: {} } };
  const request = { event, context: lambdaContext() } as never;
  const check = async () => {
    if (contract.body) {
      await jsonBody().before?.(request);
    }
    await validate(contract).before?.(request);

    return accepted;
  };
  const refusal: unknown = await check().catch(publicFailure);
  if (!(refusal instanceof ApiError)) {
    throw refusal;
  }

  return refusal;
}

function expectMessages({ status, body }: Answer, ...messages: readonly string[]): void {
  expect(body).toEqual({
    success: false,
    statusCode: 400,
    message: messages,
    error: 'Bad Request',
  });
  expect(status).toBe(400);
}

type Case = BadValue & {
  readonly contract: BodyContract;
  readonly operationId: string;
  readonly field: Field;
  readonly path: string;
};

type BodyContract = Contract & { readonly body: NonNullable<Contract['body']> };

const withBody = endpoints.filter((contract): contract is BodyContract => Boolean(contract.body));

function casesOf(contract: BodyContract): readonly Case[] {
  const { operationId, body } = contract;
  const example = exampleOf(body);

  return fieldsOf(body).flatMap((field) =>
    badValues(field, valueAt(example, field.keys)).map((bad) => ({
      ...bad,
      contract,
      operationId,
      field,
      path: field.path,
    })),
  );
}

const bodyCases = withBody.flatMap(casesOf);

/** List elements have no name of their own in a query. */
function queryFields({ query }: Contract): readonly Field[] {
  return query ? fieldsOf(query).filter(({ keys }) => keys.length === 1) : [];
}

const queryCases = endpoints.flatMap((contract) =>
  queryFields(contract).flatMap((field) =>
    badQueryValues(field).map((bad) => ({ ...bad, contract, field, path: field.path })),
  ),
);

/** One case per endpoint. */
const firstQueryCases = queryCases.filter(
  ({ contract }, index) => queryCases[index - 1]?.contract !== contract,
);

/** Returns the required query parameters from the example. */
function requiredQuery({ query }: Contract): Readonly<Record<string, string>> {
  const required = Object.entries(query?.shape ?? {}).filter(
    ([, schema]) => !schema.safeParse(undefined).success,
  );
  const example = query ? exampleOf(query) : {};

  return Object.fromEntries(required.map(([name]) => [name, String(example[name])]));
}

const exampleBody = ({ body }: BodyContract): Body => exampleOf(body);

describe('a body field', () => {
  it.each(bodyCases)(
    '$operationId: $path $name: $says',
    async ({ contract, field, path, value, says }) => {
      const body = withValue(exampleBody(contract), field.keys, value);
      const refusal = await refusalOf(contract, { body });

      expect(refusal).toMatchObject({ kind: 'badRequest', publicMessage: [`${path} ${says}`] });
    },
  );

  it.each(withBody)('has a maximum length or value: $operationId', (contract) => {
    expect(unbounded(contract.body)).toEqual([]);
  });

  it.each(withBody)('is valid in the example: $operationId', (contract) => {
    expect(contract.body.safeParse(exampleBody(contract)).error).toBeUndefined();
  });
});

const bounds: Readonly<Record<string, (schema: JsonSchema) => boolean>> = {
  string: ({ maxLength, format }) => maxLength !== undefined || format === 'uuid',
  array: ({ maxItems }) => maxItems !== undefined,
};

function unbounded(schema: NonNullable<Contract['body']>): readonly string[] {
  return fieldsOf(schema)
    .filter(({ kind, schema: field }) => !(bounds[kind]?.(field) ?? true))
    .map(({ path }) => path);
}

const readable = endpoints.filter(({ query, params }) => query ?? params);

describe('a query parameter', () => {
  it.each(queryCases)(
    '$contract.operationId: $path $name is rejected',
    async ({ contract, path, value, says }) => {
      const query = { ...requiredQuery(contract), [path]: String(value) };
      const refusal = await refusalOf(contract, { query });

      expect(refusal).toMatchObject({
        kind: 'badRequest',
        publicMessage: [expect.stringMatching(`^${path} ${says}`)],
      });
    },
  );

  it.each(firstQueryCases)(
    'is reported to the caller when invalid: $contract.operationId',
    async ({ contract, path, value, says }) => {
      const query = { ...requiredQuery(contract), [path]: String(value) };
      const answer = await probe(contract, asOwner(contract, { query }));

      expect(answer.status).toBe(400);
      expect(answer.body.message).toEqual([expect.stringMatching(`^${path} ${says}`)]);
    },
  );

  it.each(readable)('has a maximum length or value: $operationId', (contract) => {
    const schemas = [contract.query, contract.params].filter((schema) => schema !== undefined);

    expect(schemas.flatMap(unbounded)).toEqual([]);
  });
});

/** Returns a body with an invalid value in every top-level field, and the expected messages. */
function allFieldsInvalid(contract: BodyContract): { body: Body; messages: readonly string[] } {
  const outer = fieldsOf(contract.body).filter(({ keys }) => keys.length === 1);
  const wrong = outer.map((field) => {
    const bad = badValues(field, undefined).find(({ name }) =>
      name.startsWith('of the wrong type'),
    );

    return { path: field.path, value: bad?.value, message: `${field.path} ${bad?.says}` };
  });

  return {
    body: Object.fromEntries(wrong.map(({ path, value }) => [path, value])),
    messages: wrong.map(({ message }) => message),
  };
}

const withFields = withBody.filter(({ body }) => Object.keys(body.shape).length > 0);

describe('a body', () => {
  it.each(withFields)(
    'with only invalid fields reports each of them: $operationId',
    async (contract) => {
      const { body, messages } = allFieldsInvalid(contract);

      expectMessages(await probe(contract, asOwner(contract, { body })), ...messages);
    },
  );

  it.each(withFields)('may contain unknown fields: $operationId', async (contract) => {
    const { body, messages } = allFieldsInvalid(contract);
    const more = { ...body, unknown: 'x'.repeat(10_000), 'a.b': null, $where: [{}] };

    expectMessages(await probe(contract, asOwner(contract, { body: more })), ...messages);
  });

  it.each(withBody)('that is empty lacks the required fields: $operationId', async (contract) => {
    const required = fieldsOf(contract.body).filter(
      ({ keys, isRequired }) => isRequired && keys.length === 1,
    );
    const bodies = required.length > 0 ? ['', '{}', undefined] : [];
    for (const body of bodies) {
      const answer = await probe(contract, asOwner(contract, { body }));

      expectMessages(answer, ...required.map(({ path }) => `${path} is required`));
    }
  });

  it.each(withBody)('must be a JSON object: $operationId', async (contract) => {
    const bodies = [
      '{',
      '[]',
      '[{}]',
      'null',
      '"{}"',
      '42',
      'true',
      '{}{}',
      "{'a':1}",
      'a=1',
      '\ufeff{',
    ];
    const says = 'Request body must be a valid JSON object';
    for (const body of bodies) {
      expect((await refusalOf(contract, { body })).publicMessage, body).toEqual([says]);
    }

    expectMessages(await probe(contract, asOwner(contract, { body: bodies[0] })), says);
  });

  it.each(withBody)('must not be nested deeper than 32 levels: $operationId', async (contract) => {
    const tooDeep = 'Request body must not be nested deeper than 32 levels';
    for (const [open, inner, close] of [
      ['{"a":', '1', '}'],
      ['{"a":[', '', ']}'],
    ] as const) {
      const body = `${open.repeat(33)}${inner}${close.repeat(33)}`;
      const answer = await probe(contract, asOwner(contract, { body }));

      expectMessages(answer, tooDeep);
    }
  });

  it.each(withBody)(
    'returns 400 when it is nested too deep for a parser: $operationId',
    async (contract) => {
      const body = `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;

      expect((await probe(contract, asOwner(contract, { body }))).status).toBe(400);
    },
  );

  it.each(withFields)('may be nested 32 levels deep: $operationId', async (contract) => {
    const { body, messages } = allFieldsInvalid(contract);
    const deep = JSON.parse(`${'{"a":'.repeat(31)}1${'}'.repeat(31)}`);

    expectMessages(
      await probe(contract, asOwner(contract, { body: { ...body, deep } })),
      ...messages,
    );
  });

  it.each(withBody)('above 1 MiB returns 413: $operationId', async (contract) => {
    const filler = 1024 * 1024 - '{"a":""}'.length + 1;
    const body = `{"a":"${'x'.repeat(filler)}"}`;
    const answer = await probe(contract, asOwner(contract, { body }));

    expect(answer.body).toEqual({
      success: false,
      statusCode: 413,
      message: 'Request body must not be larger than 1 MiB',
      error: 'Payload Too Large',
    });
  });

  it.each(withFields)('is measured in bytes and may be 1 MiB: $operationId', async (contract) => {
    const { body, messages } = allFieldsInvalid(contract);
    const room = 1024 * 1024 - Buffer.byteLength(JSON.stringify({ ...body, x: '' }));
    const full = JSON.stringify({ ...body, x: `${'é'.repeat(room >> 1)}${'x'.repeat(room & 1)}` });

    expectMessages(await probe(contract, asOwner(contract, { body: full })), ...messages);
    expect((await probe(contract, asOwner(contract, { body: `${full} ` }))).status).toBe(413);
  });
});

const otherTypes = [
  'text/plain',
  'text/plain;charset=UTF-8',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  'text/json',
  'application/jsonp',
  'application/json, text/plain',
  '*/*',
  '',
];
const jsonTypes = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'Application/JSON',
  'application/problem+json',
];

function eventOf(
  contract: Contract,
  body: unknown,
  change: (event: APIGatewayProxyEventV2) => APIGatewayProxyEventV2,
): APIGatewayProxyEventV2 {
  return change(gatewayEvent(contract, asOwner(contract, { body })));
}

const unsupported = {
  success: false,
  statusCode: 415,
  message: 'Content-Type must be application/json',
  error: 'Unsupported Media Type',
};

describe('a content type', () => {
  it.each(withBody)('other than JSON returns 415: $operationId', async (contract) => {
    for (const type of otherTypes) {
      const headers = { 'content-type': type };
      const { statusCode, publicMessage } = await refusalOf(contract, { body: '{}', headers });

      expect([statusCode, publicMessage], type).toEqual([415, unsupported.message]);
    }
    const headers = { 'content-type': 'text/plain' };
    const answer = await probe(contract, asOwner(contract, { body: '{}', headers }));

    expect(answer.body).toEqual(unsupported);
  });

  it.each(withBody)('that is missing returns 415: $operationId', async (contract) => {
    const event = eventOf(contract, '{}', ({ headers, ...rest }) => {
      const { 'content-type': _, ...others } = headers;

      return { ...rest, headers: others };
    });

    expect((await probeWith(contract, event)).body).toEqual(unsupported);
  });

  it.each(withFields)('may name a character set: $operationId', async (contract) => {
    const { body, messages } = allFieldsInvalid(contract);
    for (const type of jsonTypes) {
      const headers = { 'content-type': type };

      expect((await refusalOf(contract, { body, headers })).publicMessage, type).toEqual(messages);
    }
  });

  it.each(withFields)('may have a base64 body from the gateway: $operationId', async (contract) => {
    const { body, messages } = allFieldsInvalid(contract);
    const event = eventOf(contract, body, (made) => ({
      ...made,
      body: Buffer.from(JSON.stringify(body)).toString('base64'),
      isBase64Encoded: true,
    }));

    expectMessages(await probeWith(contract, event), ...messages);
  });
});
