import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { ApiError } from '#lib/platform/errors/failures.ts';
import { publicFailure } from '#lib/platform/http/middleware/error-envelope.ts';
import { validate } from '#lib/platform/http/middleware/validate.ts';
import { prepareBody } from '#lib/platform/http/raw-body.ts';
import type { Contract } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import type { JsonSchema } from '#scripts/build/generate/openapi/json-schema.ts';
import { exampleOf, type Field, fieldsOf, valueAt, withValue } from '#scripts/fixtures/fields.ts';
import type { Body } from '#scripts/fixtures/fixture.ts';
import { tokenOf, unknownParams } from '#scripts/fixtures/fixtures.ts';
import { type Answer, type CallInput, gatewayEvent, lambdaContext } from '#tests/support/api.ts';
import { errorBodyOf } from '#tests/support/error-body.ts';
import { type BadValue, badQueryValues, badValues } from '#tests/support/registry/bad-values.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { probe, probeWith } from '#tests/support/registry/probe.ts';
import { representatives } from '#tests/support/registry/representatives.ts';
import { newWorld } from '#tests/support/registry/world.ts';

liftRateLimits();
const world = await newWorld();

function asOwner(contract: Contract, call: CallInput): CallInput {
  return { params: unknownParams(contract, world), ...tokenOf(contract, world), ...call };
}

const accepted = new Error('The input was accepted');

/**
 * Runs only the endpoint's input validation for a signed-in caller, because there are thousands of
 * values. Other tests show that each handler returns its result.
 */
async function refusalOf(contract: Contract, call: CallInput): Promise<ApiError> {
  const state = { input: {}, identity: Promise.resolve() };
  const event = { ...gatewayEvent(contract, call), state };
  const request = { event, context: lambdaContext() } as never;
  const check = async () => {
    if (contract.body) {
      await prepareBody().before?.(request);
      await httpJsonBodyParser().before?.(request);
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
  expect(body).toMatchObject(errorBodyOf('VALIDATION_FAILED', messages));
  expect(status).toBe(400);
}

type Case = BadValue & { readonly field: Field };

type BodyContract = Contract & { readonly body: NonNullable<Contract['body']> };

const withBody = endpoints.filter((contract): contract is BodyContract => Boolean(contract.body));

/** The middleware parses every body in the same way. */
const bodyShapes = representatives(withBody);

function bodyCases({ body }: BodyContract): readonly Case[] {
  const example = exampleOf(body);

  return fieldsOf(body).flatMap((field) =>
    badValues(field, valueAt(example, field.keys)).map((bad) => ({ ...bad, field })),
  );
}

/** In a query, list elements have no separate name. */
function queryFields({ query }: Contract): readonly Field[] {
  return query ? fieldsOf(query).filter(({ keys }) => keys.length === 1) : [];
}

function queryCases(contract: Contract): readonly Case[] {
  return queryFields(contract).flatMap((field) =>
    badQueryValues(field).map((bad) => ({ ...bad, field })),
  );
}

const withQuery = endpoints.filter((contract) => queryCases(contract).length > 0);

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
  it.each(withBody)('is rejected if it is invalid: $operationId', async (contract) => {
    for (const { field, name, value, says } of bodyCases(contract)) {
      const body = withValue(exampleBody(contract), field.keys, value);
      const refusal = await refusalOf(contract, { body });

      expect(refusal, `${field.path} ${name}`).toMatchObject({
        kind: 'badRequest',
        publicMessage: [`${field.path} ${says}`],
      });
    }
  });

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
  it.each(withQuery)('is rejected if it is invalid: $operationId', async (contract) => {
    for (const { field, name, value, says } of queryCases(contract)) {
      const query = { ...requiredQuery(contract), [field.path]: String(value) };
      const refusal = await refusalOf(contract, { query });

      expect(refusal, `${field.path} ${name}`).toMatchObject({
        kind: 'badRequest',
        publicMessage: [expect.stringMatching(`^${field.path} ${says}`)],
      });
    }
  });

  it.each(representatives(withQuery))(
    'is reported to the caller if it is invalid: $operationId',
    async (contract) => {
      const [{ field, value, says }] = queryCases(contract) as readonly [Case];
      const query = { ...requiredQuery(contract), [field.path]: String(value) };
      const answer = await probe(contract, asOwner(contract, { query }));

      expect(answer.status).toBe(400);
      expect(answer.body.message).toEqual([expect.stringMatching(`^${field.path} ${says}`)]);
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

const withFields = bodyShapes.filter(({ body }) => Object.keys(body.shape).length > 0);

describe('a body', () => {
  it.each(withFields)('reports each field if all are invalid: $operationId', async (contract) => {
    const { body, messages } = allFieldsInvalid(contract);

    expectMessages(await probe(contract, asOwner(contract, { body })), ...messages);
  });

  it.each(withFields)(
    'may contain unknown fields, unless it is strict: $operationId',
    async (contract) => {
      const { body, messages } = allFieldsInvalid(contract);
      const more = { unknown: 'x'.repeat(10_000), 'a.b': null, $where: [{}] };
      const unknown = Object.keys(more).map((name) => `${name} is not a field of this request.`);
      const answer = await probe(contract, asOwner(contract, { body: { ...body, ...more } }));

      expectMessages(answer, ...messages, ...(contract.strict ? unknown : []));
      expect(answer.body.warnings).toEqual(contract.strict ? undefined : unknown);
    },
  );

  it.each(bodyShapes)(
    'reports the missing required fields if it is empty: $operationId',
    async (contract) => {
      const required = fieldsOf(contract.body).filter(
        ({ keys, isRequired }) => isRequired && keys.length === 1,
      );
      const bodies = required.length > 0 ? ['', '{}', undefined] : [];
      for (const body of bodies) {
        const answer = await probe(contract, asOwner(contract, { body }));

        // Messages of the endpoint's own rules may follow.
        const messages = answer.body.message.slice(0, required.length);
        expectMessages(
          { ...answer, body: { ...answer.body, message: messages } },
          ...required.map(({ path }) => `${path} is required`),
        );
      }
    },
  );

  it.each(bodyShapes)('must be a JSON object: $operationId', async (contract) => {
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

    const { body } = await probe(contract, asOwner(contract, { body: bodies[0] }));

    expect(body).toEqual(errorBodyOf('BODY_INVALID', [says]));
  });

  it.each(bodyShapes)(
    'must not be nested deeper than 32 levels: $operationId',
    async (contract) => {
      const tooDeep = 'Request body must not be nested deeper than 32 levels';
      for (const [open, inner, close] of [
        ['{"a":', '1', '}'],
        ['{"a":[', '', ']}'],
      ] as const) {
        const body = `${open.repeat(33)}${inner}${close.repeat(33)}`;
        const answer = await probe(contract, asOwner(contract, { body }));

        expectMessages(answer, tooDeep);
      }
    },
  );

  it.each(bodyShapes)(
    'returns 400 if it is nested too deep for a parser: $operationId',
    async (contract) => {
      const body = `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;

      expect((await probe(contract, asOwner(contract, { body }))).status).toBe(400);
    },
  );

  it.each(withFields)('may be nested 32 levels deep: $operationId', async (contract) => {
    const { body, messages } = allFieldsInvalid(contract);
    const deep = JSON.parse(`${'{"a":'.repeat(31)}1${'}'.repeat(31)}`);
    const answer = await probe(contract, asOwner(contract, { body: { ...body, deep } }));

    expect(answer.body.message.slice(0, messages.length)).toEqual(messages);
  });

  it.each(bodyShapes)('returns 413 if it is above 1 MiB: $operationId', async (contract) => {
    const filler = 1024 * 1024 - '{"a":""}'.length + 1;
    const body = `{"a":"${'x'.repeat(filler)}"}`;
    const answer = await probe(contract, asOwner(contract, { body }));

    expect(answer.body).toEqual(
      errorBodyOf('BODY_TOO_LARGE', 'Request body must not be larger than 1 MiB'),
    );
  });

  it.each(withFields)('is measured in bytes and may have 1 MiB: $operationId', async (contract) => {
    const { body, messages } = allFieldsInvalid(contract);
    const room = 1024 * 1024 - Buffer.byteLength(JSON.stringify({ ...body, x: '' }));
    const full = JSON.stringify({ ...body, x: `${'é'.repeat(room >> 1)}${'x'.repeat(room & 1)}` });

    const answer = await probe(contract, asOwner(contract, { body: full }));

    expect(answer.body.message.slice(0, messages.length)).toEqual(messages);
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

const unsupported = errorBodyOf(
  'CONTENT_TYPE_UNSUPPORTED',
  'Content-Type must be application/json',
);

describe('a content type', () => {
  it.each(bodyShapes)('returns 415 if it is not JSON: $operationId', async (contract) => {
    for (const type of otherTypes) {
      const headers = { 'content-type': type };
      const { statusCode, publicMessage } = await refusalOf(contract, { body: '{}', headers });

      expect([statusCode, publicMessage], type).toEqual([415, unsupported.message]);
    }
    const headers = { 'content-type': 'text/plain' };
    const answer = await probe(contract, asOwner(contract, { body: '{}', headers }));

    expect(answer.body).toEqual(unsupported);
  });

  it.each(bodyShapes)('returns 415 if it is missing: $operationId', async (contract) => {
    const event = eventOf(contract, '{}', ({ headers, ...rest }) => {
      const { 'content-type': _, ...others } = headers;

      return { ...rest, headers: others };
    });

    expect((await probeWith(contract, event)).body).toEqual(unsupported);
  });

  it.each(withFields)('may contain a character set: $operationId', async (contract) => {
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
