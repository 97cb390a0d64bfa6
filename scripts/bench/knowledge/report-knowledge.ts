import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { maxPromptPassages, rank } from '#lib/features/knowledge/find-passages.ts';
import {
  decodePassages,
  encodePassages,
  type Passages,
} from '#lib/features/knowledge/passage-file.ts';
import { maxPassages } from '#lib/features/knowledge/passages.ts';
import type { Source } from '#lib/features/knowledge/source.ts';
import { config } from '#lib/platform/config.ts';
import { embeddingDimensions } from '#lib/vendors/openai/embeddings.ts';
import type { Section } from '../section.ts';
import { median, quantile } from '../statistics.ts';
import { formatTable } from '../table.ts';

const maxCpuMs = 50;
const warmUpRounds = 20;
const measuredRounds = 200;
const passageLength = 1_200;

/** The maximum number of passages of an organization, in one source. */
const source: Source = {
  id: 'source',
  organizationId: 'organization',
  type: 'TEXT',
  name: 'Everything',
  status: 'READY',
  chunkCount: maxPassages,
  revision: 1,
  version: 1,
  createdAt: '',
  updatedAt: '',
};

type Times = { readonly cpuMs: readonly number[]; readonly wallMs: readonly number[] };

/**
 * Measures the exact search of a warm function: one question against all passages of the largest
 * organization. Excludes embedding the question, which is a call to the AI service.
 */
export function reportKnowledge(): Section {
  const before = usedBytes();
  const passages = loadPassages();
  const memoryBytes = usedBytes() - before;
  const rows = [
    { name: `best ${maxPromptPassages}, for a reply`, times: time(passages, maxPromptPassages) },
    { name: 'best 50, the most of a search', times: time(passages, 50) },
  ];
  const slow = rows.filter(({ times }) => quantile(times.cpuMs, 0.95) > maxCpuMs);
  const { dimensions, texts } = passages;

  return {
    title: `Knowledge: exact search of ${texts.length.toLocaleString('en')} passages with ${dimensions} dimensions`,
    text: `${formatRows(rows)}\n\nLimit: ${maxCpuMs} ms of CPU time at the p95. Memory of the passages: ${megabytes(memoryBytes)} MB, of which ${megabytes(passages.vectors.byteLength)} MB are vectors`,
    misses: [],
    failures: slow.map(
      ({ name, times }) => `${name}: ${quantile(times.cpuMs, 0.95).toFixed(1)} ms of CPU time`,
    ),
    metrics: {},
  };
}

/** Keeps no reference to the file, because its memory would be measured too. */
function loadPassages(): Passages {
  const numbers = Array.from({ length: maxPassages }, (_, index) => index);
  const texts = numbers.map((index) => `${index} `.padEnd(passageLength, 'passage '));

  return decodePassages(encodePassages(config.ai.embeddingModel, texts, numbers.map(vectorOf)));
}

/** A direction that depends only on the seed, so that each run compares the same vectors. */
function vectorOf(seed: number): Float32Array {
  const vector = Float32Array.from({ length: embeddingDimensions }, (_, index) =>
    Math.sin(seed * embeddingDimensions + index),
  );
  const length = Math.hypot(...vector);

  return vector.map((value) => value / length);
}

function time(passages: Passages, limit: number): Times {
  const loaded = [{ source, passages }];
  const timeOne = (round: number) => {
    const vector = vectorOf(maxPassages + round);
    const cpuBefore = process.threadCpuUsage();
    const startedAtMs = performance.now();
    rank(loaded, vector, limit);
    const wallMs = performance.now() - startedAtMs;
    const { user, system } = process.threadCpuUsage();

    return { wallMs, cpuMs: (user - cpuBefore.user + system - cpuBefore.system) / 1_000 };
  };
  for (let round = 0; round < warmUpRounds; round += 1) {
    timeOne(round);
  }
  const times = Array.from({ length: measuredRounds }, (_, round) => timeOne(round));

  return { cpuMs: times.map(({ cpuMs }) => cpuMs), wallMs: times.map(({ wallMs }) => wallMs) };
}

/**
 * Returns the memory in use after garbage collections. After the first one, some buffers remain.
 */
function usedBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();

  return heapUsed + arrayBuffers;
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}

function formatRows(rows: ReadonlyArray<{ readonly name: string; readonly times: Times }>): string {
  return formatTable(rows, [
    { title: 'search', value: ({ name }) => name },
    { title: 'CPU median ms', value: ({ times }) => median(times.cpuMs), digits: 1 },
    { title: 'CPU p95 ms', value: ({ times }) => quantile(times.cpuMs, 0.95), digits: 1 },
    { title: 'wall median ms', value: ({ times }) => median(times.wallMs), digits: 1 },
    { title: 'wall p95 ms', value: ({ times }) => quantile(times.wallMs, 0.95), digits: 1 },
  ]);
}
