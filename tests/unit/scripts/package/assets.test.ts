import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deployedFunctions } from '#scripts/build/generate/deployed-functions.ts';
import { registry } from '#scripts/build/generate/registry.ts';
import { projectPath } from '#scripts/project.ts';
import options from '../../../../esbuild.config.ts';

const withAssets = deployedFunctions(registry).filter(({ assets }) => assets.length > 0);

let unpacked: string;

beforeAll(async () => {
  unpacked = await mkdtemp(join(tmpdir(), 'archive-'));
});

afterAll(() => rm(unpacked, { recursive: true }));

it.each(withAssets)('$name reads its assets from its own archive', async (definition) => {
  const source = `functions/${definition.folder}/${definition.name}`;
  const root = join(unpacked, definition.name);
  await build({
    ...options,
    absWorkingDir: projectPath(),
    entryPoints: [`${source}.ts`],
    outbase: '.',
    outdir: root,
  });
  for (const path of definition.assets) {
    await cp(projectPath(path), join(root, path));
  }

  const { handler } = await import(pathToFileURL(join(root, `${source}.mjs`)).href);
  const answer = await handler(
    {
      version: '2.0',
      headers: {},
      pathParameters: { asset: 'swagger-ui.css' },
      requestContext: { http: { method: 'GET', path: '/', sourceIp: '192.0.2.1' } },
    },
    { awsRequestId: 'test', getRemainingTimeInMillis: () => 29_000 },
  );

  expect(answer.statusCode).toBe(200);
});
