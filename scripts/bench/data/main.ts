import { parseArgs } from 'node:util';
import { describeMachine } from '../machine.ts';
import { measureSizes } from './measure-sizes.ts';
import { formatCosts } from './report-costs.ts';

const { values } = parseArgs({ options: { large: { type: 'boolean', default: false } } });
const sizes = [100, 1_000, 10_000, ...(values.large ? [100_000] : [])];

console.log(describeMachine());
console.log('\nTrips / read units / write units, by the number of leads in the organization\n');
console.log(formatCosts(sizes, await measureSizes(sizes)));
