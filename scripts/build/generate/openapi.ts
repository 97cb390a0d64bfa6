import { type Area, areaOf, areas, type Contract } from '#schemas/contract.ts';
import { errorsFile, llmsFile, openapiFile } from '#schemas/docs.ts';
import { type EventDefinition, events } from '#schemas/events.ts';
import project from '../../../package.json' with { type: 'json' };
import { generateErrorsMd } from './errors-md.ts';
import type { GeneratedFile } from './generated-file.ts';
import { generateLlmsTxt } from './llms-txt.ts';
import type {
  OpenapiDocument,
  Operation,
  Parameter,
  PathItem,
  Response,
} from './openapi/document.ts';
import { errorSchemas } from './openapi/error-schemas.ts';
import { withExtensions } from './openapi/extend.ts';
import { responseHeaders } from './openapi/headers.ts';
import {
  areaDescriptions,
  extensionDescription,
  introduction,
  summary,
} from './openapi/introduction.ts';
import type { JsonSchema, SchemaComponents } from './openapi/json-schema.ts';
import { commonSecurity, type Gathered, operationOf } from './openapi/operation.ts';
import { headerParameters } from './openapi/parameters.ts';
import { print } from './openapi/print.ts';
import { componentsOf, findShared, pathItemOf, withReferences } from './openapi/share.ts';
import { webhooksOf } from './openapi/webhooks.ts';
import type { Registry } from './registry.ts';
import { generateSdk } from './sdk.ts';

/** The fields of `package.json` that the document uses. */
export type Project = { readonly version: string; readonly license: string };

/**
 * Generates the OpenAPI 3.1 document. The order of the endpoints does not affect the result.
 *
 * @throws if an example is neither in a schema nor can be composed from it.
 */
export function generateOpenapi(
  endpoints: readonly Contract[],
  { version, license }: Project,
  sentEvents: Readonly<Record<string, EventDefinition>> = {},
): OpenapiDocument {
  const gathered: Gathered = { components: new Map(), missingExamples: [] };
  const described = inOrder(endpoints).map((contract) => ({
    contract,
    operation: operationOf(contract, gathered),
  }));
  const webhooks = webhooksOf(sentEvents, gathered);
  if (gathered.missingExamples.length > 0) {
    throw new Error(`Missing examples:\n${gathered.missingExamples.join('\n')}`);
  }
  const shared = findShared(described.map(({ operation }) => operation));
  const paths = pathsOf(
    described.map(({ contract, operation }) => ({
      contract,
      operation: withReferences(operation, shared),
    })),
  );

  return {
    openapi: '3.1.1',
    info: {
      title: 'Social Leads',
      version,
      summary,
      description: introduction,
      contact: { name: 'Social Leads' },
      license: licenseOf(license),
    },
    servers: [
      {
        url: '/',
        description:
          'The server that provides this document. For local development: http://localhost:3000.',
      },
    ],
    security: commonSecurity,
    tags: tagsOf(endpoints),
    paths,
    webhooks,
    components: {
      schemas: {
        ...errorSchemas,
        ...withoutDetails(withExtensions(sortedByKey(gathered.components)), [
          ...described.map(({ operation }) => operation),
          ...Object.values(webhooks).map(({ post }) => post),
        ]),
      },
      headers: responseHeaders,
      parameters: { ...headerParameters, ...componentsOf<Parameter>(shared.parameters) },
      responses: componentsOf<Response>(shared.responses),
      securitySchemes,
    },
  };
}

/**
 * Removes details that make the document longer without informing readers: the examples of a body's
 * fields, because each request has an example of the whole body, and the simple examples and limits
 * of schemas that are in no request and no event.
 */
function withoutDetails(
  schemas: SchemaComponents,
  operations: readonly Operation[],
): SchemaComponents {
  const used = new Set<string>();
  const use = (part: unknown) => {
    for (const name of referencesIn(part)) {
      if (!used.has(name)) {
        used.add(name);
        use(schemas[name]);
      }
    }
  };
  for (const { requestBody, parameters } of operations) {
    use([requestBody, parameters]);
  }

  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const isDetail = name.endsWith('Body') ? isExample : isAnswerDetail;

      return [name, name.endsWith('Body') || !used.has(name) ? reduced(schema, isDetail) : schema];
    }),
  );
}

function referencesIn(part: unknown): readonly string[] {
  const found = JSON.stringify(part ?? null).matchAll(/"#\/components\/schemas\/([^"]+)"/g);

  return Array.from(found, ([, name = '']) => name);
}

type IsDetail = (keyword: string, value: unknown) => boolean;

/** Keywords can also be names of fields, whose values are schemas. */
const isExample: IsDetail = (keyword, value) => keyword === 'examples' && Array.isArray(value);

const limits = new Set(['maxItems', 'maxLength', 'maximum', 'minItems', 'minLength', 'minimum']);

const isAnswerDetail: IsDetail = (keyword, value) =>
  (limits.has(keyword) && typeof value === 'number') ||
  (isExample(keyword, value) && typeof [value].flat()[0] !== 'object');

function reduced(schema: JsonSchema, isDetail: IsDetail): JsonSchema {
  const json = JSON.stringify(schema, (key, value) => (isDetail(key, value) ? undefined : value));

  return JSON.parse(json);
}

/** Generates the documents that the project stores and serves. */
export function generateOpenapiFile({
  endpoints,
}: Pick<Registry, 'endpoints'>): readonly GeneratedFile[] {
  const document = generateOpenapi(endpoints, project, events);

  return [
    { path: openapiFile, content: `${print(document)}\n` },
    { path: llmsFile, content: generateLlmsTxt() },
    { path: errorsFile, content: generateErrorsMd(endpoints) },
    ...generateSdk(endpoints, document),
  ];
}

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The `authToken` returned by signup and login.',
  },
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key (`sl_…`). It acts in its organization alone, with its role.',
  },
  operatorKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'A key of the operator of the service (`slo_…`), for `/platform` alone.',
  },
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-auth_token',
    description: 'Set by signup and login. Browsers send it automatically.',
  },
} as const;

/** Sorts by area, then by path, so a path comes before its subpaths. */
function inOrder(endpoints: readonly Contract[]): readonly Contract[] {
  return endpoints.toSorted(
    (one, other) =>
      areas.indexOf(areaOf(one)) - areas.indexOf(areaOf(other)) ||
      compare(one.path, other.path) ||
      compare(one.method, other.method),
  );
}

function pathsOf(
  described: readonly { readonly contract: Contract; readonly operation: Operation }[],
): Readonly<Record<string, PathItem>> {
  const byPath = Map.groupBy(described, ({ contract }) => contract.path);

  return Object.fromEntries(
    [...byPath].map(([path, entries]) => [
      path,
      pathItemOf(
        Object.fromEntries(
          entries.map(({ contract, operation }) => [contract.method.toLowerCase(), operation]),
        ),
      ),
    ]),
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function tagsOf(endpoints: readonly Contract[]) {
  const present = new Set<Area>(endpoints.map(areaOf));
  const tags = areas
    .filter((area) => present.has(area))
    .map((area) => ({ name: area as string, description: areaDescriptions[area] }));
  const hasExtensions = endpoints.some(({ specified }) => !specified);

  return hasExtensions ? [...tags, { name: 'extension', description: extensionDescription }] : tags;
}

/** npm uses `UNLICENSED` for packages without a license to use them. */
function licenseOf(license: string) {
  return license === 'UNLICENSED'
    ? { name: 'All rights reserved', identifier: 'LicenseRef-All-Rights-Reserved' }
    : { name: license, identifier: license };
}

function sortedByKey<Value>(entries: ReadonlyMap<string, Value>): Readonly<Record<string, Value>> {
  return Object.fromEntries([...entries].toSorted(([one], [other]) => compare(one, other)));
}
