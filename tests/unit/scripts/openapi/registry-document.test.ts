import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { events } from '#schemas/events.ts';
import { endpoints } from '#schemas/index.ts';
import type {
  OpenapiDocument,
  Operation,
  Parameter,
  Reference,
} from '#scripts/build/generate/openapi/document.ts';
import { generateOpenapiFile } from '#scripts/build/generate/openapi.ts';
import { projectPath } from '#scripts/project.ts';

const [file] = generateOpenapiFile({ endpoints });
const document: OpenapiDocument = JSON.parse(file?.content ?? '');
const operations = new Map<string, Operation>(
  Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .map((operation) => [operation.operationId, operation]),
);
const byName = endpoints.map((contract) => [contract.operationId, contract] as const);

describe('documented examples', () => {
  test.each(byName)('the examples of %s match its schemas', (operationId, contract) => {
    const operation = operations.get(operationId);
    const sent = operation?.requestBody?.content['application/json']?.example;
    const success = operation?.responses[String(contract.status ?? 200)];
    const answered = exampleOf(success);
    const checks = [
      contract.body?.safeParse(sent),
      contract.params?.safeParse(exampleParameters(operation, 'path')),
      contract.envelope === 'raw' ? undefined : contract.response?.safeParse(answered),
    ];

    expect(answered).toBeDefined();
    expect(checks.flatMap((check) => check?.error?.issues ?? [])).toEqual([]);
  });
});

test.each(Object.entries(events))(
  'the example of the event %s matches its schema',
  (type, event) => {
    const body = document.webhooks[type]?.post?.requestBody?.content['application/json'];
    const { data, ...rest } = Object(body?.example);

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

test('the document takes at most 4,400 bytes per operation', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.keys(methods));

  expect(Buffer.byteLength(file?.content ?? '')).toBeLessThan(4_400 * operations.length);
});

test('the document passes the recommended Redocly rules without warnings', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
  // The ignore file lists exceptions by document path, relative to the configuration.
  const path = join('docs', 'openapi.json');
  await mkdir(join(folder, 'docs'));
  await Promise.all([
    writeFile(join(folder, path), file?.content ?? ''),
    ...['redocly.yaml', '.redocly.lint-ignore.yaml'].map((name) =>
      copyFile(projectPath(name), join(folder, name)),
    ),
  ]);

  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [projectPath('node_modules/@redocly/cli/bin/cli.js'), 'lint', path, '--format=json'],
    { cwd: folder, env: { ...process.env, REDOCLY_TELEMETRY: 'off' } },
  ).finally(() => rm(folder, { recursive: true }));

  expect(JSON.parse(stdout), stderr).toMatchObject({ totals: { errors: 0, warnings: 0 } });
}, 60_000);

function exampleOf(response: object | undefined): unknown {
  const { content } = response as { readonly content: Record<string, { example?: unknown }> };

  return Object.values(content)[0]?.example;
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
