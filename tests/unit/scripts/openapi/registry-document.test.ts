import { describe, expect, test } from 'vitest';
import { events } from '#schemas/events.ts';
import { endpoints } from '#schemas/index.ts';
import { postSettings } from '#schemas/post-settings.ts';
import { composeExample } from '#scripts/build/generate/openapi/compose-example.ts';
import type {
  OpenapiDocument,
  Operation,
  Parameter,
  Reference,
  RequestBody,
  Response,
} from '#scripts/build/generate/openapi/document.ts';
import { generateOpenapiFile } from '#scripts/build/generate/openapi.ts';
import { pascalCase } from '#scripts/build/generate/pascal-case.ts';
import { requestExamples } from '#tests/support/request-examples.ts';

const [file] = generateOpenapiFile({ endpoints });
const document: OpenapiDocument = JSON.parse(file?.content ?? '');
const operations = new Map<string, Operation>(
  Object.values(document.paths)
    .flatMap(({ parameters: common = [], ...item }) =>
      Object.values(item).map((operation) => ({
        ...operation,
        parameters: [...common, ...(operation.parameters ?? [])],
      })),
    )
    .map((operation) => [operation.operationId, operation]),
);
const byName = endpoints.map((contract) => [contract.operationId, contract] as const);

describe('documented examples', () => {
  test.each(byName)('the examples of requests to %s match its schemas', (operationId, contract) => {
    const operation = operations.get(operationId);
    const checks = [
      ...requestExamples(operation).map(({ body }) => contract.body?.safeParse(body)),
      contract.params?.safeParse(exampleParameters(operation, 'path')),
    ];

    expect(checks.flatMap((check) => check?.error?.issues ?? [])).toEqual([]);
  });
});

test.each(Object.entries(events))(
  'the example of the event %s matches its schema',
  (type, event) => {
    const { example, missing } = composed(document.webhooks[type]?.post.requestBody);
    const { data, ...rest } = Object(example);

    expect(missing).toEqual([]);
    expect(rest).toEqual({ type, timestamp: expect.any(String) });
    expect(event.data.parse(data)).toEqual(data);
  },
);

test('every path has exactly the parameters of its contract', () => {
  const named = endpoints.map(({ path }) =>
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
  );

  expect(named).toEqual(endpoints.map(({ params }) => Object.keys(params?.shape ?? {})));
});

test('the document takes less than 600 KB', () => {
  const remedy = 'Make repeated parts components, or shorten descriptions';

  expect(Buffer.byteLength(file?.content ?? ''), remedy).toBeLessThan(614_400);
});

test.each(byName)('bodies and responses of %s are named for it, or shared', (operationId) => {
  const { requestBody, responses } = operations.get(operationId) ?? {};
  const successes = Object.entries(responses ?? {}).filter(([status]) => status < '300');
  const described = [requestBody, ...successes.map(([, success]) => success)].map(resolved);
  const schemas = described
    .map((body) => body?.content?.['application/json']?.schema)
    .filter((schema) => schema !== undefined);

  expect(schemas.filter(({ $ref }) => !$ref)).toEqual([]);
});

test('the settings of a post are typed by network', () => {
  const { PostSettings, ContentPost, CreateContentPostBody } = document.components.schemas;
  const reference = { $ref: '#/components/schemas/PostSettings' };

  expect(PostSettings?.anyOf).toEqual(
    Object.keys(postSettings).map((platform) => ({
      $ref: `#/components/schemas/${pascalCase(platform.toLowerCase())}PostSettings`,
    })),
  );
  expect(document.components.schemas.LinkedinPostSettings).toMatchObject({
    properties: { visibility: { enum: ['PUBLIC', 'CONNECTIONS', null] } },
    additionalProperties: false,
  });
  expect(ContentPost?.properties?.settings?.anyOf).toContainEqual(reference);
  expect(CreateContentPostBody?.properties?.settings?.anyOf).toContainEqual(reference);
});

/** The example that documentation pages show. It is composed from the examples of all fields. */
function composed(described: Response | Reference | RequestBody | undefined) {
  const missing: string[] = [];
  const [body] = Object.values(resolved(described)?.content ?? {});
  const source = { components: document.components.schemas, missing };
  const example = composeExample(body?.schema ?? {}, source, 'body');

  return { example, missing };
}

function resolved(
  described: Response | RequestBody | Reference | undefined,
): Response | RequestBody | undefined {
  return described && '$ref' in described
    ? document.components.responses[described.$ref.slice('#/components/responses/'.length)]
    : described;
}

function exampleParameters(operation: Operation | undefined, place: string) {
  return Object.fromEntries(
    (operation?.parameters ?? [])
      .map(resolveParameter)
      .flatMap((parameter) =>
        parameter?.in === place ? [[parameter.name, parameter.example] as const] : [],
      ),
  );
}

function resolveParameter(parameter: Parameter | Reference): Parameter | undefined {
  return '$ref' in parameter
    ? document.components.parameters[parameter.$ref.slice('#/components/parameters/'.length)]
    : parameter;
}
