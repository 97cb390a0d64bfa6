import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { queueName, type WorkerDefinition } from '#schemas/contract.ts';
import { workerDefinitions } from '#schemas/messages.ts';
import { type Column, formatTable } from '#scripts/bench/table.ts';

/** The state of the stack at one moment of a load test. */
export type Sample = {
  readonly seconds: number;
  /** Messages that wait in all queues. */
  readonly waiting: number;
  readonly deadLetters: number;
  /** Resident memory of the process that runs all functions. */
  readonly functionsMb: number;
  /** Resident memory of the others. DynamoDB Local and the sandbox keep all data in memory. */
  readonly othersMb: number;
};

const run = promisify(execFile);

/** Takes samples of a running stack. `stackPid` is the process of `npm start`. */
export function samplerOf(awsEndpoint: string, queueUrlPrefix: string, stackPid: number) {
  const client = new SQSClient({
    endpoint: awsEndpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const startedAtMs = performance.now();

  async function lengthOf(worker: Pick<WorkerDefinition, 'name' | 'inOrder'>): Promise<number> {
    const { Attributes } = await client.send(
      new GetQueueAttributesCommand({
        QueueUrl: `${queueUrlPrefix}${queueName(worker)}`,
        AttributeNames: ['ApproximateNumberOfMessages'],
      }),
    );

    return Number(Attributes?.ApproximateNumberOfMessages ?? 0);
  }

  async function totalOf(workers: ReadonlyArray<Pick<WorkerDefinition, 'name' | 'inOrder'>>) {
    const lengths = await Promise.all(workers.map(lengthOf));

    return lengths.reduce((sum, length) => sum + length, 0);
  }

  return async (): Promise<Sample> => {
    const workers = Object.values(workerDefinitions);
    const [waiting, deadLetters, memory] = await Promise.all([
      totalOf(workers),
      totalOf(workers.map((worker) => ({ ...worker, name: `${worker.name}-dlq` }))),
      memoryOf(stackPid),
    ]);

    return {
      seconds: Math.round((performance.now() - startedAtMs) / 1_000),
      waiting,
      deadLetters,
      ...memory,
    };
  };
}

/** In the command line of the process that runs the functions. */
const functionsCommand = 'serverless.js offline';

/** Returns the resident memory of a process and all its descendants. */
async function memoryOf(pid: number): Promise<Pick<Sample, 'functionsMb' | 'othersMb'>> {
  const { stdout } = await run('ps', ['-ww', '-eo', 'pid=,ppid=,rss=,args=']);
  const processes = stdout
    .trim()
    .split('\n')
    .map((line) => {
      const [id = 0, parent = 0, kilobytes = 0] = line.trim().split(/\s+/, 3).map(Number);
      const isFunctions = line.includes(functionsCommand) && !line.includes('supervise.ts');

      return { id, parent, kilobytes, isFunctions };
    });
  const family = new Set([pid]);
  for (let known = 0; known < family.size; ) {
    known = family.size;
    for (const { id, parent } of processes) {
      if (family.has(parent)) {
        family.add(id);
      }
    }
  }
  const megabytes = (isFunctions: boolean) => {
    const used = processes
      .filter((one) => family.has(one.id) && one.isFunctions === isFunctions)
      .reduce((sum, { kilobytes }) => sum + kilobytes, 0);

    return Math.round(used / 1_024);
  };

  return { functionsMb: megabytes(true), othersMb: megabytes(false) };
}

const columns: ReadonlyArray<Column<Sample>> = [
  { title: 'second', value: ({ seconds }) => seconds },
  { title: 'waiting messages', value: ({ waiting }) => waiting },
  { title: 'dead letters', value: ({ deadLetters }) => deadLetters },
  { title: 'functions MB', value: ({ functionsMb }) => functionsMb },
  { title: 'other MB', value: ({ othersMb }) => othersMb },
];

/** Caches and the JIT fill in the first third; after that, this much is noise. */
const harmlessGrowth = 1.1;
/** Messages that arrived within the last seconds. */
const harmlessWaiting = 100;

function meanOf(samples: readonly Sample[], value: (sample: Sample) => number): number {
  return samples.reduce((sum, sample) => sum + value(sample), 0) / Math.max(1, samples.length);
}

/** Fewer samples show no trend. */
const minSamples = 6;

/** Formats the samples, and names what grew between the second and the last third of the test. */
export function judgeSamples(samples: readonly Sample[]) {
  if (samples.length < minSamples) {
    return { text: formatTable(samples, columns), problems: [] };
  }
  const third = Math.floor(samples.length / 3);
  const [middle, last] = [samples.slice(third, 2 * third), samples.slice(2 * third)];
  const memory = ({ functionsMb }: Sample) => functionsMb;
  const waiting = ({ waiting: messages }: Sample) => messages;
  const problems = [
    ...(meanOf(last, memory) > meanOf(middle, memory) * harmlessGrowth
      ? ['the memory of the functions grew']
      : []),
    ...(meanOf(last, waiting) > meanOf(middle, waiting) + harmlessWaiting
      ? ['the queues grew']
      : []),
    ...((samples.at(-1)?.deadLetters ?? 0) > (samples[0]?.deadLetters ?? 0)
      ? ['messages became dead letters']
      : []),
  ];

  return { text: formatTable(samples, columns), problems };
}
