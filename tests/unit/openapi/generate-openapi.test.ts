import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { contract } from '#schemas/contract.ts';
import { generateOpenapi } from '#scripts/generate/openapi.ts';
import {
  createThing,
  fixtureEndpoints,
  fixtureProject,
  readThing,
} from '#tests/support/openapi-fixture.ts';

const document = generateOpenapi(fixtureEndpoints, fixtureProject);

describe('the document', () => {
  test('is the same whatever the order of the endpoints', () => {
    const reversed = generateOpenapi(fixtureEndpoints.toReversed(), fixtureProject);

    expect(JSON.stringify(reversed)).toBe(JSON.stringify(document));
  });

  test('takes its version from the project and names its licence', () => {
    expect(document.info).toMatchObject({
      version: '1.2.3',
      license: { name: 'All rights reserved', identifier: 'LicenseRef-All-Rights-Reserved' },
    });
  });

  test('describes the tags that its operations have, and no others', () => {
    expect(document.tags.map((tag) => tag.name)).toEqual(['auth', 'leads', 'docs', 'extension']);
  });

  test('refuses a field without an example, and says which', () => {
    const unexplained = contract({
      ...readThing,
      response: z.object({ owner: z.object({ age: z.number() }) }),
    });

    expect(() => generateOpenapi([unexplained], fixtureProject)).toThrow(
      'Missing examples:\nreadThing response.owner.age',
    );
  });

  test('refuses two different schemas with one id', () => {
    const other = z.object({ size: z.boolean() }).meta({ id: 'Thing' });
    const clashing = contract({ ...readThing, response: z.object({ other }) });

    expect(() => generateOpenapi([createThing, clashing], fixtureProject)).toThrow(
      'Two schemas have the id Thing',
    );
  });
});

describe('an operation', () => {
  const create = document.paths['/things']?.post;
  const read = document.paths['/things/{thing_id}']?.get;

  test('says who may call it', () => {
    expect(create?.security).toEqual([{ bearer: [] }, { cookie: [] }]);
    expect(create?.description).toContain('the role MEMBER or a higher one');
    expect(read?.security).toEqual([]);
  });

  test('is tagged with its area, and as an extension where it is one', () => {
    expect(create?.tags).toEqual(['leads']);
    expect(read?.tags).toEqual(['auth', 'extension']);
  });

  test('takes the headers that hold for it', () => {
    expect(create?.parameters).toEqual([
      { $ref: '#/components/parameters/OrganizationId' },
      { $ref: '#/components/parameters/IdempotencyKey' },
    ]);
  });

  test('takes what its path and its query name', () => {
    expect(read?.parameters).toMatchObject([{ name: 'thing_id', in: 'path', required: true }]);
    expect(document.paths['/things']?.get?.parameters).toMatchObject([
      { name: 'page', in: 'query', required: false },
      { name: 'limit', in: 'query', required: false },
      { name: 'cursor', in: 'query', required: false },
    ]);
  });

  test('says how often it may be called', () => {
    expect(create?.description).toContain('Limited to 100 requests in 1 hour per user.');
  });

  test('has a body with an example, in which optional fields may be null', () => {
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

describe('a response', () => {
  const create = document.paths['/things']?.post?.responses;

  test('stands in the envelope of its contract', () => {
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

  test('is of its own content type where the handler answers for itself', () => {
    expect(document.paths['/page']?.get?.responses['200']).toMatchObject({
      content: {
        'text/html; charset=utf-8': {
          schema: { type: 'string', description: 'A page.' },
          example: '<!doctype html>',
        },
      },
    });
  });

  test('refers to schemas that have an id', () => {
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

  test('carries the headers of limits and of repeated requests where they apply', () => {
    expect(headersOf(create?.['201'])).toEqual([
      'X-Request-Id',
      'RateLimit-Policy',
      'RateLimit',
      'Idempotent-Replayed',
    ]);
    expect(headersOf(create?.['429'])).toEqual([
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

  test('stands there for every refusal that follows from the contract', () => {
    const statuses = (path: string, method: 'get' | 'post') =>
      Object.keys(document.paths[path]?.[method]?.responses ?? {}).map(Number);

    expect(statuses('/things', 'post')).toEqual([
      201, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503,
    ]);
    expect(statuses('/things', 'get')).toEqual([200, 400, 401, 500, 503]);
    expect(statuses('/things/{thing_id}', 'get')).toEqual([200, 400, 404, 429, 500, 503]);
    expect(statuses('/page', 'get')).toEqual([200, 304, 429, 500]);
  });

  test('shows what the service answers to bad input, in its own words', () => {
    expect(JSON.stringify(create?.['400'])).toContain('"message":["name is required"]');
  });

  test('says with which role the call would have passed', () => {
    expect(JSON.stringify(create?.['403'])).toContain('Only members can create things');
  });

  test('of the gateway stands there where nothing else limits a call that is open to all', () => {
    expect(document.components.responses.TooManyRequests).toMatchObject({
      content: { 'application/json': { example: { message: 'Too Many Requests' } } },
    });
  });

  test('of a refusal for want of a session has a code', () => {
    expect(document.components.responses.Unauthorized).toMatchObject({
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/AuthenticationError' } },
      },
    });
  });
});

function headersOf(response: object | undefined): readonly string[] {
  return response && 'headers' in response ? Object.keys(response.headers as object) : [];
}
