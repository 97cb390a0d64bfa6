import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contractOf } from '#lib/platform/http/build-endpoint.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import {
  acceptsAnonymous,
  areaOf,
  areas,
  type Contract,
  kebabCase,
  routePath,
} from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import { includedFiles } from '#scripts/build/generate/generated-files.ts';
import { exampleOf, fieldsOf } from '#scripts/fixtures/fields.ts';
import { unknownParams } from '#scripts/fixtures/fixtures.ts';
import { projectPath } from '#scripts/project.ts';
import { gatewayEvent, lambdaContext } from '#tests/support/api.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import {
  type PromisedAccess,
  promised,
  promisedExtensions,
  promisedInterface,
  routeOf,
} from '#tests/support/registry/promised.ts';
import { representatives } from '#tests/support/registry/representatives.ts';
import { newWorld } from '#tests/support/registry/world.ts';

/** Returns who has access, in the vocabulary of the interface documents. */
function accessOf({ access }: Contract): PromisedAccess {
  if (access.kind === 'public') {
    return 'public';
  }
  if (access.kind === 'operator') {
    return 'operator';
  }
  if (access.kind === 'user') {
    return acceptsAnonymous(access) ? 'user or none' : 'user';
  }
  const { lowestRole, unless } = access;

  return unless
    ? `${lowestRole}, or ${unless.lowestRole} where ${unless.setting} is on`
    : lowestRole;
}

function filesIn(folder: string, extension: string): readonly string[] {
  const root = new URL('../../', import.meta.url);

  return readdirSync(new URL(folder, root)).filter((name) => name.endsWith(extension));
}

function nameOf(contract: Contract): string {
  return `${areaOf(contract)}/${kebabCase(contract.operationId)}`;
}

function functionOf(contract: Contract): Promise<{ readonly handler: object }> {
  const [area, name] = nameOf(contract).split('/');

  return import(`../../functions/${area}/${name}.ts`);
}

const included = new Map(includedFiles().map(({ path, content }) => [path, content]));

const promisedHint =
  'tests/support/registry/promised.ts lists each route with its access: those with `specified: true` in promisedInterface, all others in promisedExtensions';

/** The number of endpoints of the original specification, by the first segment of their path. */
const specified = {
  auth: 8,
  organizations: 10,
  billing: 19,
  health: 10,
  leads: 13,
  campaigns: 7,
  content: 6,
  bio: 4,
  social: 11,
  ai: 9,
  debug: 1,
};

describe('the interface', () => {
  it('has the 98 endpoints of the original specification', () => {
    const areas = Object.keys(promisedInterface).map((route) => route.split('/')[1] ?? '');
    const counted = Map.groupBy(areas, (area) => area);

    expect(areas).toHaveLength(98);
    expect(Object.fromEntries([...counted].map(([area, { length }]) => [area, length]))).toEqual(
      specified,
    );
  });

  it.each(Object.keys(promisedInterface))('has %s, which is not an extension', (route) => {
    const found = endpoints.filter((contract) => routeOf(contract) === route);

    expect(found).toHaveLength(1);
    expect(found[0]?.specified).toBe(true);
  });

  it.each(endpoints)('gives access to exactly the documented callers: $operationId', (contract) => {
    expect(accessOf(contract), promisedHint).toBe(promised[routeOf(contract)]);
  });

  it.each([
    ['the interface', promisedInterface, true],
    ['extensions', promisedExtensions, false],
  ] as const)('has no undocumented endpoint: %s', (_, promises, isSpecified) => {
    const built = endpoints.filter(({ specified = false }) => specified === isSpecified);

    expect(built.map(routeOf).sort(), promisedHint).toEqual(Object.keys(promises).sort());
  });
});

/** Their arrays are a part of a report, or a selection of the best entries. */
const notLists = ['debugIframe', 'getHealthStatus', 'getHistoricalMetrics'];

function returnsList({ method, operationId, envelope, response }: Contract): boolean {
  const hasArray = Object.values(response?.shape ?? {}).some(
    (field) => field._zod.def.type === 'array',
  );

  return method === 'GET' && envelope !== 'raw' && hasArray && !notLists.includes(operationId);
}

function hasRange(query: Contract['query']): boolean {
  return ['from', 'to', 'dateFrom', 'dateTo', 'end'].some((name) =>
    Object.hasOwn(query?.shape ?? {}, name),
  );
}

describe('a contract', () => {
  it.each(endpoints)(
    'belongs to a function that exports exactly what `endpoint` returned: $operationId',
    async (contract) => {
      const exported = await functionOf(contract);

      expect(Object.keys(exported)).toEqual(['handler']);
      expect(contractOf(exported.handler)).toBe(contract);
    },
  );

  it.each(
    endpoints.filter(
      ({ access, method, idempotent }) =>
        access.kind === 'public' && (method === 'GET' || idempotent === false),
    ),
  )(
    'belongs to a function that loads no code of sessions if it is open to all: $operationId',
    (contract) => {
      const source = readFileSync(projectPath(`functions/${nameOf(contract)}.ts`), 'utf8');

      expect(source).toContain('publicEndpoint(');
    },
  );

  it.each(endpoints)('belongs to a function with the same route: $operationId', (contract) => {
    const area = areaOf(contract);
    const name = kebabCase(contract.operationId);
    const entries = (included.get(`functions/${area}/functions.yml`) ?? '').split(
      /^(?=[a-z-]+:$)/m,
    );
    const entry = entries.find((text) => text.startsWith(`${name}:\n`)) ?? '';

    expect(entry).toContain(`handler: functions/${area}/${name}.handler\n`);
    expect(entry).toContain(`method: ${contract.method}\n        path: ${routePath(contract)}\n`);
  });

  it.each(endpoints)(
    'has the same parameter names as its path: $operationId',
    ({ path, params }) => {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);

      expect(Object.keys(params?.shape ?? {}).sort()).toEqual(inPath.sort());
    },
  );

  it.each(endpoints)(
    'has a body only if its method allows one, and the organization only in the path: $operationId',
    ({ operationId, method, body, access, path }) => {
      // Deleting an account requires a proof of identity.
      const hasBody = /^(POST|PUT|PATCH)$/.test(method) || operationId === 'deleteMe';
      const isOfPath = access.kind === 'member' && access.organization === 'path';
      const isPublic = access.kind === 'public' || access.kind === 'operator';

      expect(hasBody || body === undefined).toBe(true);
      expect(isOfPath || isPublic).toBe(isPublic || path.includes('{organization_id}'));
    },
  );

  it.each(endpoints.filter(returnsList))(
    'has pages or a total if it returns a list: $operationId',
    (list) => {
      const { pagination, total } = list.response?.shape ?? {};

      expect(pagination ?? total).toBeDefined();
    },
  );

  it.each(endpoints.filter(({ query }) => hasRange(query)))(
    'uses the names from and to for a time range: $operationId',
    ({ query }) => {
      expect(Object.keys(query?.shape ?? {})).toEqual(expect.arrayContaining(['from', 'to']));
    },
  );

  it('lives at least twelve months after it was deprecated', () => {
    const deprecations = endpoints.flatMap(({ deprecated, deprecatedFields = {} }) => [
      ...(deprecated ? [deprecated] : []),
      ...Object.values(deprecatedFields),
    ]);
    const tooShort = deprecations.filter(({ since, until }) => {
      const earliest = new Date(since);
      earliest.setUTCFullYear(earliest.getUTCFullYear() + 1);

      return new Date(until) < earliest;
    });

    expect(tooShort).toEqual([]);
  });

  it('has a unique operation id and route', () => {
    const ids = endpoints.map(({ operationId }) => operationId);
    const functions = ids.map(kebabCase);
    const routes = endpoints.map((contract) => routeOf(contract).replace(/\{\w+\}/g, '{}'));

    expect(new Set(ids).size).toBe(endpoints.length);
    expect(new Set(functions).size).toBe(endpoints.length);
    expect(new Set(routes).size).toBe(endpoints.length);
  });
});

/** Properties of a contract that make the middleware treat its requests differently. */
const distinguishing = [
  ...['access', 'method', 'idempotent', 'failures', 'role', 'strict'],
  // Only whether they exist. Validation has separate tests for each endpoint.
  ...['params', 'query', 'body', 'anonymousBody'],
] as const;

/** Properties that the middleware uses without treating requests differently. */
const others = [
  ...['operationId', 'path'],
  // Headers have a test for each limit.
  'rateLimit',
  // How long a crashed request keeps its Idempotency-Key.
  'timeoutSeconds',
  // They only add headers.
  ...['deprecated', 'deprecatedFields'],
  // Each endpoint has a test of its successful response.
  ...['response', 'message', 'status', 'created', 'envelope'],
] as const;

describe('the middleware', () => {
  it('reads only properties by which the contract tests choose representatives', async () => {
    liftRateLimits();
    const world = await newWorld();
    const read = new Set<string>();
    for (const contract of representatives(endpoints)) {
      const watched = new Proxy(contract, {
        get: (target, name) => {
          read.add(String(name));

          return Reflect.get(target, name);
        },
      });
      const handler = endpoint(watched, (async () => exampleAnswer(contract)) as never);
      for (const { token } of [...Object.values(world.people), { token: 'garbage' }]) {
        const params = unknownParams(contract, world);
        const body = contract.body && exampleOf(contract.body);
        const headers = { 'idempotency-key': token };
        await handler(gatewayEvent(contract, { params, body, headers, token }), lambdaContext());
      }
    }

    expect([...read].sort()).toEqual([...distinguishing, ...others].sort());
  });

  /** Returns the response of a successful operation. */
  function exampleAnswer({ envelope, response }: Contract): unknown {
    return envelope === 'raw' ? { statusCode: 200, body: '' } : response && exampleOf(response);
  }
});

/** Fields in which the caller chooses the names. Operations get no other unknown fields. */
const openFields = /(^|\.)(customFields|metadata|params|variables|settings)$/;

describe('a body or query', () => {
  it.each(endpoints)('loses unknown fields: $operationId', ({ body, query }) => {
    const schemas = [body, query].filter((schema) => schema !== undefined);
    const open = schemas
      .flatMap(fieldsOf)
      .filter(({ kind, schema }) => kind === 'record' || schema.additionalProperties)
      .map(({ path }) => path);

    expect(schemas.filter(({ def }) => def.catchall)).toEqual([]);
    expect(open.filter((path) => !openFields.test(path))).toEqual([]);
  });
});

describe('a handler', () => {
  const withoutContract = ['docs/unknown-route', 'live/live-connections'];
  const contracted = endpoints.map(nameOf);
  const folders = readdirSync(new URL('../../functions', import.meta.url));
  const built = areas.filter((area) => folders.includes(area));

  it.each(built)('has a contract: functions/%s', (area) => {
    const files = filesIn(`functions/${area}`, '.ts').map((file) => `${area}/${file.slice(0, -3)}`);
    const expected = [...contracted, ...withoutContract].filter((name) =>
      name.startsWith(`${area}/`),
    );

    expect([...files].sort()).toEqual(expected.sort());
  });
});
