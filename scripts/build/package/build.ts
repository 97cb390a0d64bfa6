import { readdirSync, rmSync, statSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import {
  type DeployedFunction,
  deployedFunctions,
} from '#scripts/build/generate/deployed-functions.ts';
import { registry } from '#scripts/build/generate/registry.ts';
import { buildWeb } from '#scripts/build/web/build-web.ts';
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
/** Building all functions at once would need 7 GB of memory, and would not be faster. */
const builtAtOnce = 40;

/**
 * Bundles every function and packs each bundle with its assets into
 * `.build/functions/…/<name>.zip`. The unpacked files are in `.build/` too, where bundles can run
 * as in Lambda.
 */
export async function buildFunctions(
  functions: readonly DeployedFunction[] = deployedFunctions(registry),
): Promise<readonly Bundle[]> {
  await buildWeb();
  rmSync(projectPath(`${outputFolder}/functions`), { recursive: true, force: true });
  const { bundles } = await bundleFunctions(functions, outputFolder);
  for (const definition of functions) {
    await writeArchive(definition);
  }

  return bundles;
}

type Changes = Pick<BuildOptions, 'sourcemap'>;

/** Bundles functions into a folder, with the assets that they read. */
export async function bundleFunctions(
  functions: readonly DeployedFunction[],
  folder: string,
  changes: Changes = {},
): Promise<{ readonly bundles: readonly Bundle[]; readonly metafile: Metafile }> {
  const metafile: Metafile = { inputs: {}, outputs: {} };
  for (let start = 0; start < functions.length; start += builtAtOnce) {
    const part = functions.slice(start, start + builtAtOnce).map(sourceOf);
    const { inputs, outputs } = await bundle(part, folder, changes);
    Object.assign(metafile.inputs, inputs);
    Object.assign(metafile.outputs, outputs);
  }
  for (const path of new Set(functions.flatMap(assetFiles))) {
    await cp(projectPath(path), projectPath(`${folder}/${path}`));
  }

  return {
    bundles: functions.map((definition) => bundleOf(definition, folder, metafile)),
    metafile,
  };
}

async function bundle(entryPoints: string[], folder: string, changes: Changes): Promise<Metafile> {
  const { metafile } = await build({
    ...options,
    ...changes,
    absWorkingDir: projectPath(),
    entryPoints,
    outbase: '.',
    outdir: folder,
  });

  return metafile;
}

async function writeArchive(definition: DeployedFunction): Promise<void> {
  const output = outputOf(definition);
  const paths = [output, ...assetFiles(definition)];
  const entries = paths.map(async (path) => ({
    path,
    content: await readFile(projectPath(`${outputFolder}/${path}`)),
  }));
  const archive = projectPath(`${outputFolder}/${output.replace(/\.mjs$/, '.zip')}`);
  await mkdir(dirname(archive), { recursive: true });
  await writeFile(archive, await zip(await Promise.all(entries)));
}

function bundleOf(definition: DeployedFunction, folder: string, { outputs }: Metafile): Bundle {
  const path = `${folder}/${outputOf(definition)}`;
  const output = outputs[path];
  if (!output) {
    throw new Error(`No bundle was built from ${sourceOf(definition)}`);
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

/** The files that a function reads. An asset can be a folder. */
export function assetFiles({ assets }: DeployedFunction): readonly string[] {
  return assets.flatMap((path) =>
    statSync(projectPath(path)).isDirectory()
      ? readdirSync(projectPath(path)).map((name) => `${path}/${name}`)
      : [path],
  );
}

/** The path of a function's source in the project. */
export function sourceOf({ folder, name }: DeployedFunction): string {
  return `functions/${folder}/${name}.ts`;
}

function outputOf({ folder, name }: DeployedFunction): string {
  return `functions/${folder}/${name}.mjs`;
}
