import { on } from 'node:events';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { appFolder } from '#schemas/app.ts';
import {
  type DeployedFunction,
  deployedFunctions,
} from '#scripts/build/generate/deployed-functions.ts';
import { registry } from '#scripts/build/generate/registry.ts';
import { buildWeb, builtAssets, watchWeb } from '#scripts/build/web/build-web.ts';
import { projectPath } from '#scripts/project.ts';
import { png, redWebp } from '#tests/support/media-files.ts';
import options from '../../../../esbuild.config.ts';

const withAssets = deployedFunctions(registry).filter(({ assets }) => assets.length > 0);
/** Endpoints that call no other service. */
const endpoints = withAssets.filter(({ role }) => role === 'static');

let unpacked: string;

beforeAll(async () => {
  await buildWeb();
  unpacked = await mkdtemp(join(tmpdir(), 'archive-'));
});

afterAll(() => rm(unpacked, { recursive: true }));

/** Returns the path of the function's bundle in its unpacked archive. */
async function unpack({ folder, name, assets }: DeployedFunction): Promise<string> {
  const source = `functions/${folder}/${name}`;
  const root = join(unpacked, name);
  await build({
    ...options,
    absWorkingDir: projectPath(),
    entryPoints: [`${source}.ts`],
    outbase: '.',
    outdir: root,
  });
  for (const path of assets) {
    await cp(projectPath(path), join(root, path), { recursive: true });
  }

  return join(root, `${source}.mjs`);
}

it.each(endpoints)('$name reads its assets from its own archive', async (definition) => {
  const { handler } = await import(pathToFileURL(await unpack(definition)).href);
  const answer = await handler(
    {
      version: '2.0',
      headers: {},
      pathParameters: {
        asset: definition.folder === 'app' ? builtAssets()[0] : 'swagger-ui.css',
        page: 'inbox',
      },
      requestContext: { http: { method: 'GET', path: '/', sourceIp: '192.0.2.1' } },
    },
    { awsRequestId: 'test', getRemainingTimeInMillis: () => 29_000 },
  );

  expect(answer.statusCode).toBe(200);
});

it.each([
  ['PNG', png()],
  ['WebP', redWebp],
])('media-processing converts a %s in a thread that runs its own bundle', async (_, image) => {
  const definition = withAssets.find(({ name }) => name === 'media-processing');
  const input = { bytes: image.length, converts: true };
  const thread = new Worker(await unpack(definition as DeployedFunction), {
    workerData: { task: 'checkMedia', input },
  });
  const outputs: Array<{ readonly jpeg: Uint8Array }> = [];
  for await (const [{ question, output }] of on(thread, 'message')) {
    if (!question) {
      outputs.push(output);
      break;
    }
    thread.postMessage(image.subarray(question.start, question.end));
  }
  await thread.terminate();

  expect([...(outputs[0]?.jpeg.subarray(0, 2) ?? [])]).toEqual([0xff, 0xd8]);
});

it('a starting stack writes the same web app as a package', async () => {
  const page = () => readFile(projectPath(`${appFolder}/index.html`), 'utf8');
  await buildWeb();
  const packaged = [builtAssets(), await page()];
  const watch = await watchWeb();
  const started = [builtAssets(), await page()];
  await watch.close();

  expect(started).toEqual(packaged);
});
