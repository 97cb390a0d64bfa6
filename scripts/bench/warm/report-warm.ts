import { mkdir, writeFile } from 'node:fs/promises';
import { projectPath } from '#scripts/project.ts';
import type { Recording } from '../calls/recording.ts';
import { replayVendors } from '../calls/replay-vendors.ts';
import { forkProbe } from '../fork-probe.ts';
import { functionEnvironment } from '../function-environment.ts';
import type { Section } from '../section.ts';
import { median, quantile } from '../statistics.ts';
import { formatTable } from '../table.ts';
import type { WarmCall, WarmTimes } from './warm-probe.ts';

const targetUs = 1_000;

/** Excluded because password hashing is intentionally slow and dominates their time. */
const hashing = new Set(['sign-up', 'log-in', 'change-password', 'reset-password']);

type Row = { readonly name: string; readonly medianUs: number; readonly p95Us: number };

/**
 * Measures middleware and handler in a warm request, for all endpoints that only call the table.
 * The table's client responds immediately without the SDK, because the SDK's time is not ours.
 */
export async function reportWarm(recordings: readonly Recording[]): Promise<Section> {
  const vendors = await replayVendors();
  const rows: Row[] = [];
  try {
    for (const recording of recordings.filter(callsTheTableAlone)) {
      vendors.play(recording.exchanges);
      const times = await timeCalls(recording, vendors.url);
      rows.push({
        name: recording.function.name,
        medianUs: median(times),
        p95Us: quantile(times, 0.95),
      });
    }
  } finally {
    await vendors.close();
  }
  const ofAllUs = median(rows.map(({ medianUs }) => medianUs));

  return {
    title: 'Warm request: time of middleware and handler, with an instant table',
    text: `${formatRows(rows)}\n\nMedian of all endpoints: ${ofAllUs.toFixed(0)} µs; target: under ${targetUs}`,
    misses: ofAllUs < targetUs ? [] : [`the median warm request takes ${ofAllUs.toFixed(0)} µs`],
    metrics: {},
  };
}

function callsTheTableAlone({ function: { name, event }, exchanges }: Recording): boolean {
  const isEndpoint = event.kind === 'route';
  const isAlone = exchanges.every(({ operation }) => /^(DynamoDB|secretsmanager)/.test(operation));

  return isEndpoint && isAlone && !hashing.has(name);
}

async function timeCalls(recording: Recording, vendors: string): Promise<WarmTimes> {
  const { function: definition, event, atMs, tableAnswers } = recording;
  const { folder, name } = definition;
  const call: WarmCall = { folder, name, event, atMs, tableAnswers };
  const file = projectPath('.build/bench/warm-call.json');
  await mkdir(projectPath('.build/bench'), { recursive: true });
  await writeFile(file, JSON.stringify(call));
  const probe = projectPath('scripts/bench/warm/warm-probe.ts');

  return forkProbe<WarmTimes>(probe, [file], functionEnvironment(vendors));
}

function formatRows(rows: readonly Row[]): string {
  return formatTable(rows, [
    { title: 'endpoint', value: ({ name }) => name },
    { title: 'median µs', value: ({ medianUs }) => medianUs },
    { title: 'p95 µs', value: ({ p95Us }) => p95Us },
  ]);
}
