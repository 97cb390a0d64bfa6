import { type Area, areas, type Contract } from '#schemas/contract.ts';
import project from '../../package.json' with { type: 'json' };
import type { GeneratedFile } from './generated-file.ts';
import type { HttpMethod, OpenapiDocument, Operation, PathItem } from './openapi/document.ts';
import { errorSchemas } from './openapi/error-schemas.ts';
import { responseHeaders } from './openapi/headers.ts';
import {
  areaDescriptions,
  extensionDescription,
  introduction,
  summary,
} from './openapi/introduction.ts';
import { type Gathered, operationOf } from './openapi/operation.ts';
import { headerParameters } from './openapi/parameters.ts';
import type { Registry } from './registry.ts';

/** What the document takes from `package.json`. */
export type Project = { readonly version: string; readonly license: string };

/**
 * The OpenAPI 3.1 document of these endpoints: the same endpoints give the same document, whatever
 * their order.
 *
 * @throws where an example can neither be found in a schema nor put together from it.
 */
export function generateOpenapi(
  endpoints: readonly Contract[],
  { version, license }: Project,
): OpenapiDocument {
  const gathered: Gathered = { components: new Map(), missingExamples: [] };
  const paths = pathsOf(endpoints, gathered);
  if (gathered.missingExamples.length > 0) {
    throw new Error(`These have no example:\n${gathered.missingExamples.join('\n')}`);
  }
  const used = usedNames(paths);
  const schemas = { ...errorSchemas, ...Object.fromEntries(sortedByKey(gathered.components)) };

  return {
    openapi: '3.1.1',
    info: {
      title: 'Social Leads',
      version,
      summary,
      description: introduction,
      license: licenseOf(license),
    },
    servers: [
      {
        url: '/',
        description:
          'The service that this document comes from; on one machine that is http://localhost:3000.',
      },
    ],
    tags: tagsOf(endpoints),
    paths,
    components: {
      schemas: only(
        schemas,
        (name) => gathered.components.has(name) || used.has(`schemas/${name}`),
      ),
      headers: only(responseHeaders, (name) => used.has(`headers/${name}`)),
      parameters: only(headerParameters, (name) => used.has(`parameters/${name}`)),
      securitySchemes,
    },
  };
}

/** The document as the project keeps it, and serves it. */
export function generateOpenapiFile({
  endpoints,
}: Pick<Registry, 'endpoints'>): readonly GeneratedFile[] {
  const document = generateOpenapi(endpoints, project);

  return [{ path: 'docs/openapi.json', content: `${JSON.stringify(document, null, 2)}\n` }];
}

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The `authToken` of signup or login.',
  },
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-auth_token',
    description: 'Set by signup and login; a browser sends it by itself.',
  },
} as const;

/** In the order of the areas, then by path: a path before those that go on from it. */
function pathsOf(
  endpoints: readonly Contract[],
  gathered: Gathered,
): Readonly<Record<string, PathItem>> {
  const ordered = endpoints.toSorted(
    (one, other) =>
      areas.indexOf(one.area) - areas.indexOf(other.area) ||
      compare(one.path, other.path) ||
      compare(one.method, other.method),
  );
  const paths: Record<string, Partial<Record<HttpMethod, Operation>>> = {};
  for (const contract of ordered) {
    const item = paths[contract.path] ?? {};
    item[contract.method.toLowerCase() as HttpMethod] = operationOf(contract, gathered);
    paths[contract.path] = item;
  }

  return paths;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function tagsOf(endpoints: readonly Contract[]) {
  const present = new Set<Area>(endpoints.map(({ area }) => area));
  const tags = areas
    .filter((area) => present.has(area))
    .map((area) => ({ name: area as string, description: areaDescriptions[area] }));
  const hasExtensions = endpoints.some(({ extension }) => extension);

  return hasExtensions ? [...tags, { name: 'extension', description: extensionDescription }] : tags;
}

/** `UNLICENSED` is what npm calls it when nobody is given a licence. */
function licenseOf(license: string) {
  return license === 'UNLICENSED'
    ? { name: 'All rights reserved', identifier: 'LicenseRef-All-Rights-Reserved' }
    : { name: license, identifier: license };
}

/** `schemas/Error`, `headers/Retry-After`, … as they are referred to. */
function usedNames(paths: Readonly<Record<string, PathItem>>): ReadonlySet<string> {
  const references = JSON.stringify(paths).matchAll(/"#\/components\/([^"]+)"/g);

  return new Set([...references].map(([, name = '']) => name));
}

function only<Value>(
  record: Readonly<Record<string, Value>>,
  isWanted: (name: string) => boolean,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => isWanted(name)));
}

function sortedByKey<Value>(
  entries: ReadonlyMap<string, Value>,
): readonly (readonly [string, Value])[] {
  return [...entries].toSorted(([one], [other]) => compare(one, other));
}
