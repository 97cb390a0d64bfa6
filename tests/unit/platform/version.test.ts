import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { version } from '#lib/platform/version.ts';
import { projectPath } from '#scripts/project.ts';
import options from '../../../esbuild.config.ts';
import project from '../../../package.json' with { type: 'json' };
import client from '../../../packages/sdk/package.json' with { type: 'json' };

it('version is the version in package.json, and of the client', () => {
  expect(version).toBe(project.version);
  expect(client.version).toBe(project.version);
});

it('a bundle contains the version, but nothing else of package.json', async () => {
  const { outputFiles } = await build({
    ...options,
    entryPoints: [projectPath('lib/platform/version.ts')],
    outfile: 'version.mjs',
    sourcemap: false,
    write: false,
  });

  const [{ text = '' } = {}] = outputFiles;

  expect(text).toContain(`"${project.version}"`);
  expect(text).not.toContain(project.name);
});
