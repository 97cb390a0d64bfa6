import { writeFile } from 'node:fs/promises';
import { projectPath } from '#scripts/project.ts';
import {
  type BenchBundle,
  buildBareByDefault,
  buildFunctionBundles,
  buildProbes,
} from '../bundles/build-bundles.ts';
import type { Exchange } from '../calls/exchange.ts';
import type { Recording } from '../calls/recording.ts';
import { type ReplayedVendors, replayVendors } from '../calls/replay-vendors.ts';
import { forkProbe } from '../fork-probe.ts';
import { functionEnvironment } from '../function-environment.ts';
import type { Section } from '../section.ts';
import { median } from '../statistics.ts';
import { formatTable } from '../table.ts';
import type { ColdCall, ColdStart } from './cold-probe.ts';

const usualRounds = 7;
/** Enough for the final ratio, which is a median over all functions. */
const quickRounds = 2;
const targetRatio = 1.25;

type Subject = Pick<BenchBundle, 'name' | 'file'> & {
  readonly callFile: string;
  readonly exchanges: readonly Exchange[];
  readonly starts: ColdStart[];
};

/**
 * Measures import and first request of every function in new processes. Each is followed by a bare
 * handler with the same client, so other load on the machine affects both. Each round ends with the
 * same handler built with esbuild's defaults, and with a plain handler that reads a lead without a
 * framework. A local server replays the vendors' responses.
 */
export async function reportCold(
  recordings: readonly Recording[],
  isQuick = false,
): Promise<Section> {
  const rounds = isQuick ? quickRounds : usualRounds;
  const { bare, plain, probe } = await buildProbes();
  const bundles = await buildFunctionBundles();
  const read = readOf(recordings);
  const plainSubject = await createSubject(plain, read, read.exchanges);
  const bareCall = { event: {}, atMs: read.atMs };
  const bareSubject = await createSubject(bare, bareCall, [bareAnswer]);
  const defaultSubject = await createSubject(await buildBareByDefault(), bareCall, [bareAnswer]);
  const functions = await Promise.all(
    recordings.flatMap(({ function: { name }, event, atMs, exchanges }) => {
      const bundle = bundles.find((candidate) => candidate.name === name);

      return bundle ? [createSubject(bundle, { event, atMs }, exchanges)] : [];
    }),
  );
  const vendors = await replayVendors();
  const start = startWith(probe.file, vendors);
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const subject of functions) {
        await start(subject);
        await start(bareSubject);
      }
      await start(defaultSubject);
      await start(plainSubject);
    }
  } finally {
    await vendors.close();
  }

  const references = { bare: bareSubject, byDefault: defaultSubject, plain: plainSubject };

  return report(references, functions, rounds);
}

/** Returns the recording of the call that the plain handler also makes. */
function readOf(recordings: readonly Recording[]): Recording {
  const recording = recordings.find(({ function: { name } }) => name === 'get-lead');
  if (!recording) {
    throw new Error('No call of get-lead was recorded');
  }

  return recording;
}

const bareAnswer: Exchange = {
  operation: 'DynamoDB_20120810.GetItem',
  request: '',
  status: 200,
  contentType: 'application/x-amz-json-1.0',
  response: JSON.stringify({ Item: { pk: { S: 'BARE' }, sk: { S: 'ITEM' } } }),
};

async function createSubject(
  { name, file }: Pick<BenchBundle, 'name' | 'file'>,
  { event, atMs }: ColdCall,
  exchanges: readonly Exchange[],
): Promise<Subject> {
  const callFile = projectPath(`.build/bench/call-${name.replaceAll(' ', '-')}.json`);
  await writeFile(callFile, JSON.stringify({ event, atMs }));

  return { name, file, callFile, exchanges, starts: [] };
}

function startWith(probeFile: string, vendors: ReplayedVendors) {
  const environment = functionEnvironment(vendors.url.replace('http:', 'https:'));

  return async ({ file, callFile, exchanges, starts }: Subject): Promise<void> => {
    vendors.play(exchanges);
    starts.push(await forkProbe<ColdStart>(probeFile, [file, callFile], environment));
  };
}

type Row = ColdStart & { readonly name: string; readonly totalMs: number };

function toRow({ name, starts }: Subject): Row {
  return {
    name,
    importMs: median(starts.map(({ importMs }) => importMs)),
    firstRequestMs: median(starts.map(({ firstRequestMs }) => firstRequestMs)),
    totalMs: median(starts.map(({ importMs, firstRequestMs }) => importMs + firstRequestMs)),
    processorMs: median(starts.map(({ processorMs }) => processorMs)),
  };
}

function report(
  references: Readonly<Record<'bare' | 'byDefault' | 'plain', Subject>>,
  functions: readonly Subject[],
  rounds: number,
): Section {
  const bare = toRow(references.bare);
  const byDefault = toRow(references.byDefault);
  const plain = toRow(references.plain);
  const rows = functions.map(toRow);
  const table = formatTable(
    [bare, byDefault, plain, ...rows],
    [
      { title: 'function', value: ({ name }) => name },
      { title: 'import ms', value: ({ importMs }) => importMs, digits: 1 },
      { title: 'first request ms', value: ({ firstRequestMs }) => firstRequestMs, digits: 1 },
      { title: 'total ms', value: ({ totalMs }) => totalMs, digits: 1 },
      { title: '× bare', value: ({ totalMs }) => totalMs / bare.totalMs, digits: 2 },
      { title: 'CPU ms', value: ({ processorMs }) => processorMs, digits: 1 },
      { title: '× bare', value: (row) => row.processorMs / bare.processorMs, digits: 2 },
    ],
  );
  const medianMs = median(rows.map(({ totalMs }) => totalMs));
  const ratio = medianMs / bare.totalMs;
  const processorRatio = median(rows.map(({ processorMs }) => processorMs)) / bare.processorMs;
  const verdict = `Median of all functions: ${ratio.toFixed(2)} × bare (CPU time ${processorRatio.toFixed(2)} ×); target: at most ${targetRatio}; ${(medianMs / byDefault.totalMs).toFixed(2)} × a bare handler built with esbuild's defaults. A read without a framework: ${(plain.totalMs / bare.totalMs).toFixed(2)} × bare`;

  return {
    title: `Cold start: import and first request in new processes, medians of ${rounds}, interleaved with the bare handler; vendors replayed locally`,
    text: `${table}\n\n${verdict}`,
    misses: ratio > targetRatio ? [`the median cold start takes ${ratio.toFixed(2)} × bare`] : [],
    metrics: {},
  };
}
