import type { Section } from '../section.ts';
import { compareWithGolden, type Figures, type Golden, renewGolden } from './golden.ts';
import { goldenPath, readGolden, writeGolden } from './golden-file.ts';

const renewHint =
  'To accept the new values, run npm run bench -- --renew and explain why in the commit';

/** Returns true if no metric is above its golden value. Prints those that are. */
export function checkFigures(sections: readonly Section[]): boolean {
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
export function renewFigures(sections: readonly Section[]): void {
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
  const functions: Record<string, Figures> = {};
  for (const [name, figures] of sections.flatMap((section) => Object.entries(section.figures))) {
    functions[name] = { ...functions[name], ...figures };
  }

  return { node: process.version, functions };
}
