import type { Section } from '../section.ts';
import { compareWithGolden, type Golden, type Metrics, renewGolden } from './golden.ts';
import { goldenPath, readGolden, renewHint, writeGolden } from './golden-file.ts';

/** Returns true if no metric is above its golden value. Prints metrics that are. */
export function checkMetrics(sections: readonly Section[]): boolean {
  const golden = readGolden();
  const increases = golden
    ? compareWithGolden(golden, measuredIn(sections))
    : [`${goldenPath} does not exist`];
  const problems = [...increases, ...failuresIn(sections)];
  if (problems.length === 0) {
    console.log('\nAll metrics are within the limits of the golden file');

    return true;
  }
  console.error(`\n${problems.join('\n')}\n${renewHint}`);

  return false;
}

/** @throws if a measurement failed, because outdated values would look current. */
export function renewMetrics(sections: readonly Section[]): void {
  if (failuresIn(sections).length > 0) {
    throw new Error(`${goldenPath} was not updated because some measurements failed`);
  }
  writeGolden(renewGolden(readGolden(), measuredIn(sections)));
  console.log(`\nUpdated ${goldenPath}`);
}

export function failuresIn(sections: readonly Section[]): readonly string[] {
  return sections.flatMap(({ failures = [] }) => failures);
}

/** Merges the metrics of all sections per function. */
function measuredIn(sections: readonly Section[]): Golden {
  const functions: Record<string, Metrics> = {};
  for (const [name, metrics] of sections.flatMap((section) => Object.entries(section.metrics))) {
    functions[name] = { ...functions[name], ...metrics };
  }

  return { node: process.version, functions };
}
