import { formatTable } from '../table.ts';
import { busyRate, type Load, partitionLimit } from './measure-busy-pipeline.ts';

export function formatLoads(loads: readonly Load[]): string {
  const title = `Write units per second at ${busyRate} lead writes per second to one pipeline, half new leads with a contact and half moves; limit per partition: ${partitionLimit.toLocaleString('en')}`;
  const table = formatTable(loads, [
    { title: 'written items', value: ({ what }) => what },
    { title: 'count', value: ({ shards }) => shards },
    { title: 'hottest', value: ({ hottest }) => hottest, digits: 1 },
    { title: 'all', value: ({ together }) => together, digits: 1 },
    {
      title: '% of limit',
      value: ({ hottest }) => (100 * hottest) / partitionLimit,
      digits: 1,
    },
  ]);

  return `${title}\n\n${table}`;
}
