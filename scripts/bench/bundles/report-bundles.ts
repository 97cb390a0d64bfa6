import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { maxBundleBytes } from '#scripts/build/check/bundles.ts';
import type { Section } from '../section.ts';
import { median } from '../statistics.ts';
import { formatTable } from '../table.ts';
import { type BenchBundle, buildFunctionBundles, buildProbes } from './build-bundles.ts';
import { createInstructionCounter } from './count-instructions.ts';

type MeasuredBundle = BenchBundle & { readonly importInstructions?: number };

/** Reports each function's bundle size and, unless `isQuick` is set, its import instructions. */
export async function reportBundles(isQuick = false): Promise<Section> {
  const functions = await buildFunctionBundles();
  const { bare } = await buildProbes();
  const count = isQuick ? undefined : await createInstructionCounter();
  const measured = await atMostAtOnce(2, [bare, ...functions], async (bundle) => ({
    ...bundle,
    ...(count ? { importInstructions: await count(bundle.file) } : {}),
  }));
  const [, ...ofFunctions] = measured;

  return {
    title: 'Bundles: minified bytes as deployed; import instructions measured by callgrind',
    text: `${formatBundles(measured)}\n\n${summarize(ofFunctions)}`,
    misses: ofFunctions
      .filter(({ sizeBytes }) => sizeBytes > maxBundleBytes)
      .map(({ name, sizeBytes }) => `${name}: ${sizeBytes} bytes, above ${maxBundleBytes}`),
    metrics: Object.fromEntries(
      ofFunctions.map(({ name, sizeBytes, importInstructions }) => [
        name,
        {
          bundleBytes: sizeBytes,
          ...(importInstructions === undefined ? {} : { importInstructions }),
        },
      ]),
    ),
  };
}

function formatBundles(bundles: readonly MeasuredBundle[]): string {
  return formatTable(bundles, [
    { title: 'function', value: ({ name }) => name },
    { title: 'bytes', value: ({ sizeBytes }) => sizeBytes },
    {
      title: 'million instructions',
      value: ({ importInstructions: count }) => count && count / 1e6,
      digits: 1,
    },
    {
      title: '× bare',
      value: ({ importInstructions: count }) => {
        const bare = bundles[0]?.importInstructions;

        return count && bare && count / bare;
      },
      digits: 2,
    },
  ]);
}

function summarize(functions: readonly MeasuredBundle[]): string {
  const sizes = functions.map(({ sizeBytes }) => sizeBytes);

  return `Bytes: median ${median(sizes)}, largest ${Math.max(...sizes)}; target: at most ${maxBundleBytes} each`;
}
