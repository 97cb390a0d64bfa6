import { rmSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { build, type Metafile } from 'esbuild';
import {
  type DeployedFunction,
  deployedFunctions,
} from '#scripts/build/generate/deployed-functions.ts';
import { registry } from '#scripts/build/generate/registry.ts';
import { projectPath } from '#scripts/project.ts';
import options from '../../../esbuild.config.ts';
import { zip } from './zip.ts';

/** A function's bundle and its inputs. */
export type Bundle = {
  readonly function: DeployedFunction;
  readonly path: string;
  readonly sizeBytes: number;
  /** The bytes that each source file contributes, by its path in the project. */
  readonly inputs: Readonly<Record<string, number>>;
};

const outputFolder = '.build';

/**
 * Bundles every function and packs each bundle with its assets into
 * `.build/functions/…/<name>.zip`. The unpacked files are in `.build/` too, where bundles can run
 * as in Lambda.
 */
export async function buildFunctions(
  functions: readonly DeployedFunction[] = deployedFunctions(registry),
): Promise<readonly Bundle[]> {
  rmSync(projectPath(`${outputFolder}/functions`), { recursive: true, force: true });
  const { metafile } = await build({
    ...options,
    absWorkingDir: projectPath(),
    entryPoints: functions.map((definition) => `${sourceOf(definition)}.ts`),
    outbase: '.',
    outdir: outputFolder,
  });
  for (const definition of functions) {
    await writeArchive(definition);
  }

  return functions.map((definition) => bundleOf(definition, metafile));
}

async function writeArchive(definition: DeployedFunction): Promise<void> {
  const source = sourceOf(definition);
  const bundle = { path: `${source}.mjs`, file: projectPath(`${outputFolder}/${source}.mjs`) };
  const assets = definition.assets.map((path) => ({ path, file: projectPath(path) }));
  for (const { path, file } of assets) {
    await cp(file, projectPath(`${outputFolder}/${path}`));
  }
  const entries = [bundle, ...assets].map(async ({ path, file }) => ({
    path,
    content: await readFile(file),
  }));
  const archive = projectPath(`${outputFolder}/${source}.zip`);
  await mkdir(dirname(archive), { recursive: true });
  await writeFile(archive, await zip(await Promise.all(entries)));
}

function bundleOf(definition: DeployedFunction, { outputs }: Metafile): Bundle {
  const path = `${outputFolder}/${sourceOf(definition)}.mjs`;
  const output = outputs[path];
  if (!output) {
    throw new Error(`No bundle was built from ${sourceOf(definition)}.ts`);
  }
  const inputs = Object.entries(output.inputs)
    .map(([path, { bytesInOutput }]) => [path, bytesInOutput] as const)
    .filter(([, bytes]) => bytes > 0);

  return {
    function: definition,
    path: projectPath(path),
    sizeBytes: output.bytes,
    inputs: Object.fromEntries(inputs),
  };
}

function sourceOf({ folder, name }: DeployedFunction): string {
  return `functions/${folder}/${name}`;
}
