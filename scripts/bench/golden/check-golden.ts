import type { Section } from '../section.ts';
import { compareWithGolden, type Figures, type Golden, renewGolden } from './golden.ts';
import { goldenPath, readGolden, writeGolden } from './golden-file.ts';

const renewHint = 'npm run bench -- --renew writes the figures as they are: say in the commit why';

/** Whether no figure has risen; says which have. */
export function checkFigures(sections: readonly Section[]): boolean {
  const golden = readGolden();
  const problems = golden
    ? compareWithGolden(golden, measuredIn(sections))
    : [`${goldenPath} does not exist`];
  if (problems.length === 0) {
    console.log('\nNo figure has risen above the golden file');

    return true;
  }
  console.error(`\n${problems.join('\n')}\n${renewHint}`);

  return false;
}

export function renewFigures(sections: readonly Section[]): void {
  writeGolden(renewGolden(readGolden(), measuredIn(sections)));
  console.log(`\n${goldenPath} is renewed`);
}

/** The figures of all sections, together for each function. */
function measuredIn(sections: readonly Section[]): Golden {
  const functions: Record<string, Figures> = {};
  for (const [name, figures] of sections.flatMap((section) => Object.entries(section.figures))) {
    functions[name] = { ...functions[name], ...figures };
  }

  return { node: process.version, functions };
}
