import type { Result } from 'autocannon';
import { type Column, formatTable } from '#scripts/bench/table.ts';

export type Measured = { readonly name: string; readonly result: Result };

type Row = {
  readonly name: string;
  readonly connections?: number;
  readonly answered: number;
  readonly perSecond: number;
  /** Latency of 2xx responses in milliseconds. Absent in the total. */
  readonly latency?: Result['latency'];
  readonly limited: number;
  readonly failed: number;
};

const columns: ReadonlyArray<Column<Row>> = [
  { title: 'call', value: ({ name }) => name },
  { title: 'succeeded', value: ({ answered }) => answered },
  { title: 'per second', value: ({ perSecond }) => perSecond, digits: 1 },
  { title: 'p50 ms', value: ({ latency }) => latency?.p50 ?? '' },
  { title: 'p90 ms', value: ({ latency }) => latency?.p90 ?? '' },
  { title: 'p99 ms', value: ({ latency }) => latency?.p99 ?? '' },
  { title: 'max ms', value: ({ latency }) => latency?.max ?? '' },
  { title: '429', value: ({ limited }) => limited },
  { title: 'failed', value: ({ failed }) => failed },
];

function rowOf({ name, result }: Measured): Row {
  const { latency, statusCodeStats, errors, duration } = result;
  const count = (holds: (status: number) => boolean) =>
    Object.entries(statusCodeStats)
      .filter(([status]) => holds(Number(status)))
      .reduce((sum, [, { count }]) => sum + count, 0);
  const answered = count((status) => status >= 200 && status < 400);
  const limited = count((status) => status === 429);

  return {
    name,
    answered,
    perSecond: answered / duration,
    latency,
    limited,
    failed: count(() => true) - answered - limited + errors,
  };
}

/** Formats the results per kind of call as a table and counts the failed calls. */
export function report(measured: readonly Measured[]): { text: string; failed: number } {
  const rows = measured.map(rowOf);
  const sum = (of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);
  const failed = sum((row) => row.failed);
  const total = {
    name: 'total',
    answered: sum(({ answered }) => answered),
    perSecond: sum(({ perSecond }) => perSecond),
    limited: sum(({ limited }) => limited),
    failed,
  };

  return { text: formatTable([...rows, total], columns), failed };
}
