import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { deployedFunctions } from '#scripts/build/generate/deployed-functions.ts';
import { registry } from '#scripts/build/generate/registry.ts';
import { cachedBundles } from '#scripts/build/package/cached-bundles.ts';
import { projectPath } from '#scripts/project.ts';

const folder = `node_modules/.cache/bundles-of-test-${process.pid}`;
const index = projectPath(`${folder}/index.json`);
const functions = deployedFunctions(registry).filter(({ name }) =>
  ['unknown-route', 'get-openapi'].includes(name),
);

afterAll(() => rmSync(projectPath(folder), { recursive: true, force: true }));

describe('cachedBundles', () => {
  it('builds and loads bundles once, and again only those whose sources have changed', async () => {
    const first = await cachedBundles(functions, folder);
    const second = await cachedBundles(functions, folder);
    const cache = JSON.parse(readFileSync(index, 'utf8'));
    cache.entries['functions/docs/unknown-route'].hash = 'of another source';
    writeFileSync(index, JSON.stringify(cache));
    const third = await cachedBundles(functions, folder);

    expect([first.built, second.built, third.built]).toEqual([2, 0, 1]);
    expect([first.problems, second.problems, third.problems]).toEqual([[], [], []]);
    expect(second.bundles).toEqual(first.bundles);
    expect(third.bundles).toEqual(first.bundles);
  });

  it('includes all files of the project that a bundle is made of, with its assets', async () => {
    await cachedBundles(functions, folder);
    const { sources } = JSON.parse(readFileSync(index, 'utf8')).entries[
      'functions/docs/get-openapi'
    ];

    expect(sources).toEqual(
      expect.arrayContaining([
        'docs/openapi.json',
        'functions/docs/get-openapi.ts',
        'lib/platform/http/static-file.ts',
        'schemas/contract.ts',
      ]),
    );
    expect(sources.filter((path: string) => /^node_modules|^[\w-]+:/.test(path))).toEqual([]);
  });

  it('builds everything again with other tools', async () => {
    await cachedBundles(functions, folder);
    const cache = JSON.parse(readFileSync(index, 'utf8'));
    writeFileSync(index, JSON.stringify({ ...cache, tools: 'other ones' }));

    expect((await cachedBundles(functions, folder)).built).toBe(2);
  });
});
