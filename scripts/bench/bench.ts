import { parseArgs } from 'node:util';
import { checkFigures, renewFigures } from './golden/check-golden.ts';
import { describeMachine } from './machine.ts';
import { measure, type SectionName, sectionNames } from './measure.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: 'boolean', default: false },
    renew: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
  },
});
const usage = `npm run bench [-- ${sectionNames.join('|')} …] [--check [--quick] | --renew]`;

/** The golden file is of figures that are the same on every machine, or nearly. */
const goldenSections: readonly SectionName[] = values.quick ? ['bundles'] : ['bundles', 'trips'];

function wantedSections(): readonly SectionName[] {
  const unknown = positionals.filter((name) => !sectionNames.includes(name as SectionName));
  if (unknown.length > 0) {
    throw new Error(`There is no section ${unknown.join(', ')}: ${usage}`);
  }
  if (values.check || values.renew) {
    return goldenSections;
  }

  return positionals.length > 0 ? (positionals as SectionName[]) : sectionNames;
}

const wanted = wantedSections();
console.log(describeMachine());
const sections = [];
for await (const section of measure(wanted, values.quick)) {
  console.log(`\n${section.title}\n\n${section.text}`);
  for (const miss of section.misses) {
    console.log(`  ! ${miss}`);
  }
  sections.push(section);
}
if (values.renew) {
  renewFigures(sections);
}
if (values.check) {
  process.exitCode = checkFigures(sections) ? 0 : 1;
}
