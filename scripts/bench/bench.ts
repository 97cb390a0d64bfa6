import { parseArgs } from 'node:util';
import { checkMetrics, failuresIn, renewMetrics } from './golden/check-golden.ts';
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
const usage = `npm run bench [-- ${sectionNames.join('|')} …] [--check | --renew] [--quick]`;

/** The golden file contains only metrics that are (almost) the same on every machine. */
const goldenSections: readonly SectionName[] = ['bundles', 'trips'];

function wantedSections(): readonly SectionName[] {
  const unknown = positionals.filter((name) => !sectionNames.includes(name as SectionName));
  if (unknown.length > 0) {
    throw new Error(`Unknown section: ${unknown.join(', ')}. Usage: ${usage}`);
  }
  if (positionals.length > 0) {
    return positionals as SectionName[];
  }

  return values.check || values.renew ? goldenSections : sectionNames;
}

const wanted = wantedSections();
console.log(describeMachine());
const sections = [];
for await (const section of measure(wanted, values.quick)) {
  console.log(`\n${section.title}\n\n${section.text}`);
  for (const line of [...section.misses, ...(section.failures ?? [])]) {
    console.log(`  ! ${line}`);
  }
  sections.push(section);
}
if (values.renew) {
  renewMetrics(sections);
} else {
  const isGood = values.check ? checkMetrics(sections) : failuresIn(sections).length === 0;
  process.exitCode = isGood ? 0 : 1;
}
