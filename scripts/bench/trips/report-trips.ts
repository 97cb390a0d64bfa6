import type { RecordedCalls } from '../calls/record-calls.ts';
import { type Cost, metricsOf, type PartRecording, type Recording } from '../calls/recording.ts';
import type { Section } from '../section.ts';
import { formatTable } from '../table.ts';
import { type Target, targetOf, targetOfPart } from './targets.ts';

type Row = {
  readonly name: string;
  readonly measured: Required<Target>;
  readonly target: Target;
  readonly misses: readonly (keyof Target)[];
  readonly calls: string;
};

const metrics = ['trips', 'readUnits', 'writeUnits'] as const;

/** Reports the DynamoDB cost of one realistic call per function, compared with its target. */
export function reportTrips({ recordings, parts, problems }: RecordedCalls): Section {
  const rows = [...recordings.map(rowOfFunction), ...parts.map(rowOfPart)];
  const missed = rows.filter(({ misses }) => misses.length > 0);

  return {
    title:
      'Sequential DynamoDB round trips and billed units (measured / target; ! misses the target)',
    text: `${formatRows(rows)}\n\n${rows.length - missed.length} of ${rows.length} meet their targets`,
    failures: problems,
    misses: [
      ...missed.map(({ name, misses }) => `${name} is above its target: ${misses.join(', ')}`),
    ],
    metrics: Object.fromEntries(rows.map(({ name, measured }) => [name, measured])),
  };
}

function rowOfFunction({ function: definition, meter }: Recording): Row {
  return toRow(definition.name, meter, targetOf(definition));
}

function rowOfPart({ name, meter }: PartRecording): Row {
  return toRow(name, meter, targetOfPart(name));
}

function toRow(name: string, meter: Cost, target: Target): Row {
  const measured = metricsOf(meter);

  return {
    name,
    measured,
    target,
    misses: metrics.filter(
      (metric) => measured[metric] > (target[metric] ?? Number.POSITIVE_INFINITY),
    ),
    calls: meter.calls.map(({ operation }) => operation).join(' '),
  };
}

function formatRows(rows: readonly Row[]): string {
  const cell =
    (metric: keyof Target) =>
    ({ measured, target, misses }: Row): string =>
      `${measured[metric]} / ${target[metric] ?? '-'}${misses.includes(metric) ? ' !' : '  '}`;

  return formatTable(rows, [
    { title: 'function', value: ({ name }) => name },
    { title: 'trips', value: cell('trips') },
    { title: 'read units', value: cell('readUnits') },
    { title: 'write units', value: cell('writeUnits') },
    { title: 'calls', value: ({ calls }) => calls },
  ]);
}
