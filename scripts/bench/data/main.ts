import { parseArgs } from 'node:util';
import { describeMachine } from '../machine.ts';
import { measureData } from './measure-data.ts';
import { formatCosts } from './report-costs.ts';
import { formatLoads } from './report-loads.ts';

const { values } = parseArgs({
  options: {
    large: { type: 'boolean', default: false },
    huge: { type: 'boolean', default: false },
    'leads-only': { type: 'boolean', default: false },
  },
});
const sizes = [
  100,
  1_000,
  10_000,
  ...(values.large || values.huge ? [100_000] : []),
  ...(values.huge ? [1_000_000] : []),
];
const { operations, loads } = await measureData(sizes, {
  leadsOnly: values['leads-only'],
});

console.log(describeMachine());
console.log(
  `\nRound trips / read units / write units, by number of leads${values['leads-only'] ? '' : ', of conversations, and of posts,'} in the organization\n`,
);
console.log(formatCosts(sizes, operations));
if (loads.length > 0) {
  console.log(`\n${formatLoads(loads)}`);
}
