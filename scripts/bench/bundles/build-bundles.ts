import { rm } from 'node:fs/promises';
import { build } from 'esbuild';
import { deployedFunctions } from '#scripts/build/generate/deployed-functions.ts';
import { registry } from '#scripts/build/generate/registry.ts';
import { bundleFunctions } from '#scripts/build/package/build.ts';
import { projectPath } from '#scripts/project.ts';
import options from '../../../esbuild.config.ts';

/** A program bundled like a deployed function. */
export type BenchBundle = {
  readonly name: string;
  readonly file: string;
  readonly sizeBytes: number;
};

const outputFolder = '.build/bench';

/** Bundles every function of the service with the deployment's options, in a separate folder. */
export async function buildFunctionBundles(): Promise<readonly BenchBundle[]> {
  const folder = `${outputFolder}/functions`;
  await rm(projectPath(folder), { recursive: true, force: true });
  const { bundles } = await bundleFunctions(deployedFunctions(registry), folder, {
    sourcemap: false,
  });

  return bundles.map(({ function: { name }, path: file, sizeBytes }) => ({
    name,
    file,
    sizeBytes,
  }));
}

const bareSource = 'scripts/bench/bundles/bare-handler.ts';

/** Bundles the reference handlers (bare and plain) and the measuring program. */
export async function buildProbes() {
  const [bare, plain, probe] = await buildBundles([
    { name: 'bare handler', source: bareSource },
    { name: 'plain handler', source: 'scripts/bench/bundles/plain-handler.ts' },
    { name: 'cold probe', source: 'scripts/bench/cold/cold-probe.ts' },
  ]);
  if (!bare || !plain || !probe) {
    throw new Error('The probes were not built');
  }

  return { bare, plain, probe };
}

/** Bundles the bare handler with esbuild's defaults, without this project's optimizations. */
export async function buildBareByDefault(): Promise<Omit<BenchBundle, 'sizeBytes'>> {
  const file = projectPath(`${outputFolder}/bare-by-default.cjs`);
  await build({
    absWorkingDir: projectPath(),
    entryPoints: [bareSource],
    outfile: file,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
  });

  return { name: 'bare, default build', file };
}

async function buildBundles(
  sources: ReadonlyArray<{ readonly name: string; readonly source: string }>,
): Promise<readonly BenchBundle[]> {
  const outdir = `${outputFolder}/probes`;
  await rm(projectPath(outdir), { recursive: true, force: true });
  const { metafile } = await build({
    ...options,
    sourcemap: false,
    absWorkingDir: projectPath(),
    entryPoints: sources.map(({ source }) => source),
    outbase: '.',
    outdir,
  });

  return sources.map(({ name, source }) => {
    const path = `${outdir}/${source.replace(/\.ts$/, '.mjs')}`;
    const output = metafile.outputs[path];
    if (!output) {
      throw new Error(`No bundle was built from ${source}`);
    }

    return { name, file: projectPath(path), sizeBytes: output.bytes };
  });
}
