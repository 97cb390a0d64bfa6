import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { areas, type Contract, kebabCase } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import { handlerOf } from '#tests/support/api.ts';
import {
  type PromisedAccess,
  promised,
  promisedExtensions,
  promisedInterface,
  routeOf,
} from '#tests/support/registry/promised.ts';

/** Returns who has access, in the vocabulary of the interface documents. */
function accessOf({ access }: Contract): PromisedAccess {
  if (access.kind !== 'member') {
    return access.kind;
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

function functionsYml(area: string): string {
  return readFileSync(new URL(`../../functions/${area}/functions.yml`, import.meta.url), 'utf8');
}

const promisedHint =
  'tests/support/registry/promised.ts lists each route with its access: those with `extension: true` in promisedExtensions, all others in promisedInterface';

describe('the interface', () => {
  it.each(Object.keys(promisedInterface))('has %s, and not as an extension', (route) => {
    const found = endpoints.filter((contract) => routeOf(contract) === route);

    expect(found).toHaveLength(1);
    expect(found[0]?.extension ?? false).toBe(false);
  });

  it.each(endpoints)('gives access to exactly the documented callers: $operationId', (contract) => {
    expect(accessOf(contract), promisedHint).toBe(promised[routeOf(contract)]);
  });

  it.each([
    ['the interface', promisedInterface, false],
    ['extensions', promisedExtensions, true],
  ] as const)('has nothing undocumented: %s', (_, promises, isExtension) => {
    const built = endpoints.filter(({ extension = false }) => extension === isExtension);

    expect(built.map(routeOf).sort(), promisedHint).toEqual(Object.keys(promises).sort());
  });
});

describe('a contract', () => {
  it.each(endpoints)('has a handler: $operationId', async (contract) => {
    expect(await handlerOf(contract)).toBeTypeOf('function');
  });

  it.each(endpoints)('has a function with its route: $operationId', ({ area, ...contract }) => {
    const name = kebabCase(contract.operationId);
    const entries = functionsYml(area).split(/^(?=[a-z-]+:$)/m);
    const entry = entries.find((text) => text.startsWith(`${name}:\n`)) ?? '';

    expect(entry).toContain(`handler: functions/${area}/${name}.handler\n`);
    expect(entry).toContain(`method: ${contract.method}\n        path: ${contract.path}\n`);
  });

  it.each(endpoints)('names its parameters as in its path: $operationId', ({ path, params }) => {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);

    expect(Object.keys(params?.shape ?? {}).sort()).toEqual(inPath.sort());
  });

  it.each(endpoints)(
    'has a body only if its method allows one, and the tenant only in the path: $operationId',
    ({ operationId, method, body, access, path }) => {
      // Deleting an account needs a proof of identity.
      const hasBody = /^(POST|PUT|PATCH)$/.test(method) || operationId === 'deleteMe';
      const isOfPath = access.kind === 'member' && access.organization === 'path';
      const isPublic = access.kind === 'public';

      expect(hasBody || body === undefined).toBe(true);
      expect(isOfPath || isPublic).toBe(isPublic || path.includes('{organization_id}'));
    },
  );

  it('has a unique operation id and route', () => {
    const ids = endpoints.map(({ operationId }) => operationId);
    const functions = ids.map(kebabCase);
    const routes = endpoints.map((contract) => routeOf(contract).replace(/\{\w+\}/g, '{}'));

    expect(new Set(ids).size).toBe(endpoints.length);
    expect(new Set(functions).size).toBe(endpoints.length);
    expect(new Set(routes).size).toBe(endpoints.length);
  });
});

describe('a handler', () => {
  const withoutContract = ['docs/unknown-route', 'live/live-connections'];
  const contracted = endpoints.map(({ area, operationId }) => `${area}/${kebabCase(operationId)}`);
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
