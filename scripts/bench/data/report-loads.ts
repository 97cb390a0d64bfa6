import { formatTable } from '../table.ts';
import { busyRate, type Load, partitionLimit } from './measure-busy-pipeline.ts';

export function formatLoads(loads: readonly Load[]): string {
  const title = `Write units a second at ${busyRate} lead writes a second to one pipeline, half of them new leads with a contact and half moves; a partition takes ${partitionLimit.toLocaleString('en')}`;
  const table = formatTable(loads, [
    { title: 'what is written', value: ({ what }) => what },
    { title: 'how many', value: ({ shards }) => shards },
    { title: 'the hottest', value: ({ hottest }) => hottest, digits: 1 },
    { title: 'all', value: ({ together }) => together, digits: 1 },
    {
      title: '% of the limit',
      value: ({ hottest }) => (100 * hottest) / partitionLimit,
      digits: 1,
    },
  ]);

  return `${title}\n\n${table}`;
}
