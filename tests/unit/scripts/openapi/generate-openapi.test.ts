import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { contract } from '#schemas/contract.ts';
import { print } from '#scripts/build/generate/openapi/print.ts';
import { generateOpenapi } from '#scripts/build/generate/openapi.ts';
import {
  createThing,
  fixtureEndpoints,
  fixtureProject,
  readThing,
} from '#tests/support/openapi-fixture.ts';

const document = generateOpenapi(fixtureEndpoints, fixtureProject);

describe('generateOpenapi', () => {
  test('does not depend on the order of the endpoints', () => {
    const reversed = generateOpenapi(fixtureEndpoints.toReversed(), fixtureProject);

    expect(JSON.stringify(reversed)).toBe(JSON.stringify(document));
  });

  test('has the version and license of the project', () => {
    expect(document.info).toMatchObject({
      version: '1.2.3',
      license: { name: 'All rights reserved', identifier: 'LicenseRef-All-Rights-Reserved' },
    });
  });

  test('lists only the tags of its operations', () => {
    expect(document.tags.map((tag) => tag.name)).toEqual(['auth', 'leads', 'docs', 'extension']);
  });

  test('rejects a field without an example and names it', () => {
    const unexplained = contract({
      ...readThing,
      response: z.object({ owner: z.object({ age: z.number() }) }),
    });

    expect(() => generateOpenapi([unexplained], fixtureProject)).toThrow(
      'Missing examples:\nreadThing response.owner.age',
    );
  });

  test('rejects two different schemas with the same id', () => {
    const other = z.object({ size: z.boolean() }).meta({ id: 'Thing' });
    const clashing = contract({ ...readThing, response: z.object({ other }) });

    expect(() => generateOpenapi([createThing, clashing], fixtureProject)).toThrow(
      'Two schemas have the id Thing',
    );
  });
});

describe('generateOpenapi operations', () => {
  const create = document.paths['/things']?.post;
  const read = document.paths['/things/{thing_id}']?.get;

  test('documents who may call an operation', () => {
    expect(create?.security).toEqual([{ bearer: [] }, { cookie: [] }, { apiKey: [] }]);
    expect(create?.description).toContain('the role MEMBER or higher');
    expect(read?.security).toEqual([]);
  });

  test('tags an operation with its area, and as an extension if it is one', () => {
    expect(create?.tags).toEqual(['leads']);
    expect(read?.tags).toEqual(['auth', 'extension']);
  });

  test('lists the header parameters', () => {
    expect(create?.parameters).toEqual([
      { $ref: '#/components/parameters/OrganizationId' },
      { $ref: '#/components/parameters/IdempotencyKey' },
    ]);
  });

  test('lists the path and query parameters', () => {
    expect(read?.parameters).toMatchObject([{ name: 'thing_id', in: 'path', required: true }]);
    expect(document.paths['/things']?.get?.parameters).toMatchObject([
      { name: 'page', in: 'query', required: false },
      { name: 'limit', in: 'query', required: false },
      { name: 'cursor', in: 'query', required: false },
    ]);
  });

  test('documents the rate limit', () => {
    expect(create?.description).toContain('Limited to 100 requests in 1 hour per user.');
  });

  test('documents a body with an example and nullable optional fields', () => {
    expect(create?.requestBody).toEqual({
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: {
              name: { type: 'string', minLength: 1, maxLength: 100, examples: ['Lamp'] },
              note: {
                type: ['string', 'null'],
                minLength: 1,
                maxLength: 100,
                examples: ['Bright'],
              },
            },
            required: ['name'],
          },
          example: { name: 'Lamp', note: 'Bright' },
        },
      },
    });
  });
});

describe('generateOpenapi responses', () => {
  const create = document.paths['/things']?.post?.responses;

  test('uses the envelope of the contract', () => {
    const thing = {
      id: '0192f0c1-7b5a-7c3e-9d2f-3a5b8c1d4e6f',
      name: 'Lamp',
      note: 'Bright',
      kind: 'BIG',
      createdAt: '2026-01-15T09:30:00.000Z',
    };

    expect(create?.['201']).toMatchObject({
      content: {
        'application/json': { example: { success: true, thing, message: 'Thing created' } },
      },
    });
    expect(document.paths['/things/{thing_id}']?.get?.responses['200']).toMatchObject({
      content: { 'application/json': { example: { thing } } },
    });
  });

  test('uses the content type of a raw handler', () => {
    expect(document.paths['/page']?.get?.responses['200']).toMatchObject({
      content: {
        'text/html; charset=utf-8': {
          schema: { type: 'string', description: 'An HTML page.' },
          example: '<!doctype html>',
        },
      },
    });
  });

  test('references schemas that have an id', () => {
    expect(document.components.schemas.Thing).toMatchObject({
      required: ['id', 'name', 'note', 'kind', 'createdAt'],
      properties: { kind: { type: ['string', 'null'], enum: ['BIG', 'SMALL', null] } },
    });
    expect(create?.['201']).toMatchObject({
      content: {
        'application/json': {
          schema: { properties: { thing: { $ref: '#/components/schemas/Thing' } } },
        },
      },
    });
  });

  test('lists rate limit and replay headers where they apply', () => {
    expect(headersOf(create?.['201'])).toEqual([
      'X-Request-Id',
      'RateLimit-Policy',
      'RateLimit',
      'Idempotent-Replayed',
    ]);
    expect(headersOf(document.components.responses.TooManyRequests)).toEqual([
      'X-Request-Id',
      'RateLimit-Policy',
      'RateLimit',
      'Retry-After',
    ]);
    expect(headersOf(document.paths['/page']?.get?.responses['200'])).toEqual([
      'X-Request-Id',
      'ETag',
      'Cache-Control',
    ]);
  });

  test('covers every error that the contract can cause', () => {
    const statuses = (path: string, method: 'get' | 'post') =>
      Object.keys(document.paths[path]?.[method]?.responses ?? {}).map(Number);

    expect(statuses('/things', 'post')).toEqual([
      201, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503,
    ]);
    expect(statuses('/things', 'get')).toEqual([200, 400, 401, 429, 500, 503]);
    expect(statuses('/things/{thing_id}', 'get')).toEqual([200, 400, 404, 500, 503]);
    expect(statuses('/page', 'get')).toEqual([200, 304, 500]);
  });

  test('shows a real validation message for invalid input', () => {
    expect(JSON.stringify(create?.['400'])).toContain('"message":["name is required"]');
  });

  test('names the required role', () => {
    expect(JSON.stringify(create?.['403'])).toContain('Only members can create things');
  });

  test('documents the error code for a missing session', () => {
    expect(document.components.responses.Unauthorized).toMatchObject({
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/AuthenticationError' } },
      },
    });
  });
});

describe('generateOpenapi shared components', () => {
  const path = '/things/{thing_id}';
  const copies = ['one', 'two', 'three'].map((name) =>
    contract({ ...readThing, operationId: `${name}Thing`, path: `${path}/${name}` }),
  );
  const others = ['four', 'five'].map((name) =>
    contract({
      ...readThing,
      operationId: `${name}Thing`,
      path: `${path}/${name}`,
      params: z.object({ thing_id: z.string().meta({ example: 'b' }) }),
      errors: [{ kind: 'notFound', when: 'It is gone.', message: 'The thing is gone' }],
    }),
  );
  const { components, paths } = generateOpenapi([...copies, ...others], fixtureProject);

  test('references repeated parameters and responses, and names variants by operation', () => {
    const [common, variant] = [paths[`${path}/two`]?.get, paths[`${path}/four`]?.get];

    expect(common?.parameters).toEqual([{ $ref: '#/components/parameters/ThingIdInPath' }]);
    expect(common?.responses['404']).toEqual({ $ref: '#/components/responses/NotFound' });
    expect(variant?.parameters).toEqual([
      { $ref: '#/components/parameters/FiveThingThingIdInPath' },
    ]);
    expect(variant?.responses['404']).toEqual({
      $ref: '#/components/responses/FiveThingNotFound',
    });
  });

  test('includes what the references point to', () => {
    expect(components.parameters.FiveThingThingIdInPath).toMatchObject({ example: 'b' });
    expect(components.responses.FiveThingNotFound).toMatchObject({ description: 'It is gone.' });
  });
});

describe('print', () => {
  test('returns the same value with short objects on one line', () => {
    const value = { name: 'Lamp', list: [1, null, { text: 'x'.repeat(100) }], empty: {} };

    expect(JSON.parse(print(value))).toEqual(value);
    expect(print(value).split('\n')).toContain('"name": "Lamp",');
    expect(print({ name: 'Lamp' })).toBe('{"name":"Lamp"}');
  });
});

function headersOf(response: object | undefined): readonly string[] {
  return response && 'headers' in response ? Object.keys(response.headers as object) : [];
}
