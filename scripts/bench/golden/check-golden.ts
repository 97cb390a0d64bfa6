import type { Section } from '../section.ts';
import { compareWithGolden, type Figures, type Golden, renewGolden } from './golden.ts';
import { goldenPath, readGolden, writeGolden } from './golden-file.ts';

const renewHint = 'npm run bench -- --renew writes the figures as they are: say in the commit why';

/** Whether no figure has risen; says which have. */
export function checkFigures(sections: readonly Section[]): boolean {
  const golden = readGolden();
  const rises = golden
    ? compareWithGolden(golden, measuredIn(sections))
    : [`${goldenPath} does not exist`];
  const problems = [...rises, ...failuresIn(sections)];
  if (problems.length === 0) {
    console.log('\nNo figure has risen above the golden file');

    return true;
  }
  console.error(`\n${problems.join('\n')}\n${renewHint}`);

  return false;
}

/** @throws where something could not be measured: old figures would seem to be new ones. */
export function renewFigures(sections: readonly Section[]): void {
  if (failuresIn(sections).length > 0) {
    throw new Error(`${goldenPath} is not renewed, as not everything could be measured`);
  }
  writeGolden(renewGolden(readGolden(), measuredIn(sections)));
  console.log(`\n${goldenPath} is renewed`);
}

function failuresIn(sections: readonly Section[]): readonly string[] {
  return sections.flatMap(({ failures = [] }) => failures);
}

/** The figures of all sections, together for each function. */
function measuredIn(sections: readonly Section[]): Golden {
  const functions: Record<string, Figures> = {};
  for (const [name, figures] of sections.flatMap((section) => Object.entries(section.figures))) {
    functions[name] = { ...functions[name], ...figures };
  }

  return { node: process.version, functions };
}
