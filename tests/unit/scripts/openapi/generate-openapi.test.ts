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
      body: z.object({ owner: z.object({ name: z.string() }) }),
    });

    expect(() => generateOpenapi([unexplained], fixtureProject)).toThrow(
      'Missing examples:\nreadThing body.owner.name',
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
    expect(document.security).toEqual([{ bearer: [] }, { cookie: [] }, { apiKey: [] }]);
    expect(create?.security).toBeUndefined();
    expect(create?.description).toContain('Role: MEMBER or higher');
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
    const listed = document.paths['/things']?.get?.parameters;
    expect(listed).toMatchObject([
      { name: 'page', in: 'query' },
      { name: 'limit', in: 'query' },
      { name: 'cursor', in: 'query' },
    ]);
    expect(listed?.filter((parameter) => 'required' in parameter)).toEqual([]);
  });

  test('documents the rate limit', () => {
    expect(create?.description).toContain('At most 100 requests an hour per user.');
  });

  test('documents a body with an example and nullable optional fields', () => {
    expect(create?.requestBody).toEqual({
      required: true,
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/CreateThingBody' },
          example: { name: 'Lamp', note: 'Bright' },
        },
      },
    });
    expect(document.components.schemas.CreateThingBody).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 100 },
        note: { type: ['string', 'null'], minLength: 1, maxLength: 100 },
      },
      required: ['name'],
    });
  });
});

describe('generateOpenapi responses', () => {
  const create = document.paths['/things']?.post?.responses;

  test('uses the envelope of the contract', () => {
    const fields = {
      properties: { thing: { $ref: '#/components/schemas/Thing' } },
      required: ['thing'],
    };

    expect(document.components.schemas).toMatchObject({
      CreateThingResponse: { allOf: [{ $ref: '#/components/schemas/Envelope' }], ...fields },
      ReadThingResponse: { type: 'object', ...fields },
      Envelope: { properties: { success: { const: true }, message: { type: 'string' } } },
    });
  });

  test('uses the media type of a raw handler, without its parameters', () => {
    expect(document.paths['/page']?.get?.responses['200']).toMatchObject({
      content: {
        'text/html': {
          schema: {
            type: 'string',
            description: 'An HTML page.',
            examples: ['<!doctype html>'],
          },
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
        'application/json': { schema: { $ref: '#/components/schemas/CreateThingResponse' } },
      },
    });
  });

  test('lists the headers that not every response has', () => {
    expect(headersOf(document.components.responses['429'])).toEqual([
      'RateLimit-Policy',
      'RateLimit',
      'Retry-After',
    ]);
    expect(headersOf(document.paths['/page']?.get?.responses['200'])).toEqual([
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

  test.each([
    ['400', ['BODY_INVALID', 'VALIDATION_FAILED']],
    ['403', ['CROSS_SITE_REQUEST', 'ORGANIZATION_SUSPENDED', 'ROLE_INSUFFICIENT']],
    ['404', ['ORGANIZATION_NOT_FOUND']],
    ['409', ['CONTACT_EXISTS', 'IDEMPOTENCY_IN_PROGRESS']],
  ])('lists the codes of a %s', (status, codes) => {
    const own = { properties: { code: { enum: codes } } };

    expect(create?.[status]).toMatchObject({
      content: { 'application/json': { schema: { allOf: [expect.anything(), own] } } },
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
      errors: [{ code: 'LEAD_NOT_FOUND', when: 'It is gone.' }],
    }),
  );
  const { components, paths } = generateOpenapi([...copies, ...others], fixtureProject);

  test('references repeated parameters and responses, and numbers their variants', () => {
    const [common, variant] = [paths[`${path}/two`]?.get, paths[`${path}/four`]?.get];

    expect(common?.parameters).toEqual([{ $ref: '#/components/parameters/thing_id' }]);
    expect(common?.responses['404']).toEqual({ $ref: '#/components/responses/404' });
    expect(variant?.parameters).toEqual([{ $ref: '#/components/parameters/thing_id-2' }]);
    expect(variant?.responses['404']).toEqual({ $ref: '#/components/responses/404-2' });
  });

  test('includes what the references point to', () => {
    expect(components.parameters['thing_id-2']).toMatchObject({ example: 'b' });
    expect(components.responses['404-2']).toMatchObject({ description: 'It is gone.' });
  });
});

describe('generateOpenapi common parameters', () => {
  const path = '/things/{thing_id}';
  const params = z.object({ thing_id: z.string().meta({ example: 'a' }) });
  const { paths } = generateOpenapi(
    [
      contract({ ...readThing, path, params }),
      contract({ ...createThing, operationId: 'changeThing', path, params }),
      contract({ ...readThing, operationId: 'readPart', path: `${path}/part`, params }),
    ],
    fixtureProject,
  );
  const thingId = { $ref: '#/components/parameters/thing_id' };

  test('lists what all operations of a path accept once, and the rest in each operation', () => {
    expect(paths[path]?.parameters).toEqual([thingId]);
    expect(paths[path]?.get?.parameters).toBeUndefined();
    expect(paths[path]?.post?.parameters).toEqual([
      { $ref: '#/components/parameters/OrganizationId' },
      { $ref: '#/components/parameters/IdempotencyKey' },
    ]);
  });

  test('keeps the parameters of the only operation of a path in it', () => {
    expect(paths[`${path}/part`]?.parameters).toBeUndefined();
    expect(paths[`${path}/part`]?.get?.parameters).toEqual([thingId]);
  });
});

describe('generateOpenapi extensions', () => {
  const base = { id: z.uuid(), name: z.string(), size: z.int(), weight: z.int() };
  const box = z.object(base).meta({ id: 'Box' });
  const operation = (operationId: string, response: z.ZodObject) =>
    contract({ ...readThing, operationId, path: `/things/{thing_id}/${operationId}`, response });

  test('references a component with all of its fields in place of repeating them', () => {
    const { components } = generateOpenapi(
      [
        operation('showBox', z.object({ box })),
        operation('showParcel', z.object({ parcel: box.extend({ to: z.string() }) })),
      ],
      fixtureProject,
    );

    expect(components.schemas.ShowParcelResponse?.properties?.parcel).toEqual({
      allOf: [{ $ref: '#/components/schemas/Box' }],
      type: 'object',
      properties: { to: { type: 'string' } },
      required: ['to'],
    });
  });

  test.each([
    ['another field', box.extend({ size: z.string(), to: z.string() })],
    ['an optional field', box.partial({ size: true })],
  ])('repeats the fields where they differ: %s', (_, parcel) => {
    const { components } = generateOpenapi(
      [operation('showBox', z.object({ box })), operation('showParcel', z.object({ parcel }))],
      fixtureProject,
    );

    expect(components.schemas.ShowParcelResponse?.properties?.parcel?.allOf).toBeUndefined();
  });

  test('aliases a response that another operation has too', () => {
    const { components } = generateOpenapi(
      [operation('showBox', z.object({ box })), operation('weighBox', z.object({ box }))],
      fixtureProject,
    );

    expect(components.schemas.WeighBoxResponse).toEqual({
      $ref: '#/components/schemas/ShowBoxResponse',
    });
  });
});

describe('print', () => {
  test('returns the same document with one line for each path and component', () => {
    const printed = print(document);
    const starts = printed.split('\n').map((line) => line.slice(0, line.indexOf(': {')));
    const named = [...Object.keys(document.paths), ...Object.keys(document.components.schemas)];

    expect(JSON.parse(printed)).toEqual(JSON.parse(JSON.stringify(document)));
    expect(starts).toEqual(expect.arrayContaining(named.map((name) => `"${name}"`)));
  });
});

function headersOf(response: object | undefined): readonly string[] {
  return response && 'headers' in response ? Object.keys(response.headers as object) : [];
}
