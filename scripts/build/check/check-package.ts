import { compareWithGolden } from '#scripts/bench/golden/golden.ts';
import { readGolden, renewHint } from '#scripts/bench/golden/golden-file.ts';
import { registry } from '#scripts/build/generate/registry.ts';
import type { Bundle } from '#scripts/build/package/build.ts';
import { cachedBundles } from '#scripts/build/package/cached-bundles.ts';
import { createServiceCopy } from '#scripts/build/package/service-copy.ts';
import { compileTemplate } from '#scripts/build/package/template.ts';
import { findPackageProblems } from './find-package-problems.ts';

const stage = 'dev';

/**
 * Checks the result of `npm run package`, but without archives and source maps, and in a copy. A
 * package that waits for its deployment is not changed.
 */
const { bundles, problems } = await cachedBundles();
const found = [...problems, ...(await templateProblems(bundles)), ...grownBundles(bundles)];
for (const problem of found) {
  console.error(problem);
}
process.exitCode = found.length === 0 ? 0 : 1;

async function templateProblems(bundles: readonly Bundle[]): Promise<readonly string[]> {
  const service = createServiceCopy(registry);
  try {
    const compiled = await compileTemplate(service.folder, ['--stage', stage]);

    return await findPackageProblems(bundles, compiled, stage);
  } catch (failure) {
    return [(failure as Error).message];
  } finally {
    service.remove();
  }
}

/** Bundles that are larger than in the benchmark's golden file. */
function grownBundles(bundles: readonly Bundle[]): readonly string[] {
  const functions = Object.fromEntries(
    bundles.map(({ function: { name }, sizeBytes }) => [name, { bundleBytes: sizeBytes }]),
  );
  const golden = readGolden() ?? { node: process.version, functions: {} };
  const grown = compareWithGolden(golden, { node: process.version, functions });

  return grown.length === 0 ? [] : [...grown, renewHint];
}
