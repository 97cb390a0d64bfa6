import { writeFile } from 'node:fs/promises';
import { projectPath } from '#scripts/project.ts';
import { buildBundles, buildProbes } from '../bundles/build-bundles.ts';
import type { ColdStart } from '../cold/cold-probe.ts';
import { forkProbe } from '../fork-probe.ts';
import { functionEnvironment } from '../function-environment.ts';
import type { Section } from '../section.ts';
import { median } from '../statistics.ts';
import { formatTable } from '../table.ts';
import { leadRequest } from './request.ts';

const coldRounds = 7;
const warmRounds = 3;

const frameworks = [
  { name: 'no framework', source: 'no-framework' },
  { name: 'this service', source: 'social-leads' },
  { name: 'Hono', source: 'hono' },
  { name: 'Powertools event handler', source: 'powertools' },
  { name: 'tRPC', source: 'trpc' },
  { name: 'Express, serverless-http', source: 'express' },
  { name: 'NestJS, serverless-http', source: 'nest' },
] as const;

/** What they load only where somebody has installed it. */
const optionalPackages = [
  '@nestjs/microservices',
  '@nestjs/websockets',
  'class-transformer',
  'class-validator',
  '@fastify/static',
  '@fastify/view',
];

type Subject = {
  readonly name: string;
  readonly file: string;
  readonly sizeBytes: number;
  readonly importsMs: number[];
  readonly warmUs: number[];
};

/**
 * The same signed-in, validated write on other frameworks: token, zod, one stubbed call of the
 * table, JSON. All are bundled alike, with the same client of the table, and measured in turns.
 */
export async function reportFrameworks(): Promise<Section> {
  const { probe } = await buildProbes();
  const bundles = await buildBundles(
    'frameworks',
    frameworks.map(({ name, source }) => ({
      name,
      source: `scripts/bench/frameworks/${source}.ts`,
    })),
    optionalPackages.flatMap((name) => [name, `${name}/*`]),
  );
  const subjects = bundles.map((bundle): Subject => ({ ...bundle, importsMs: [], warmUs: [] }));
  const eventFile = projectPath('.build/bench/lead-request.json');
  await writeFile(eventFile, JSON.stringify(leadRequest('/leads')));
  await inTurns(coldRounds, subjects, async ({ file, importsMs }) => {
    const { importMs } = await runProbe<ColdStart>(probe.file, file, eventFile);
    importsMs.push(importMs);
  });
  const warmProbe = projectPath('scripts/bench/frameworks/warm-probe.ts');
  await inTurns(warmRounds, subjects, async ({ file, warmUs }) => {
    warmUs.push(await runProbe<number>(warmProbe, file, eventFile));
  });

  return {
    title:
      'Frameworks: the same signed-in, validated write; this service loads the session, logs and filters the answer besides',
    text: formatSubjects(subjects),
    misses: [],
    figures: {},
  };
}

async function inTurns(
  rounds: number,
  subjects: readonly Subject[],
  work: (subject: Subject) => Promise<void>,
): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    for (const subject of subjects) {
      await work(subject);
    }
  }
}

function runProbe<Message>(probe: string, file: string, eventFile: string): Promise<Message> {
  return forkProbe<Message>(probe, [file, eventFile], functionEnvironment());
}

function formatSubjects(subjects: readonly Subject[]): string {
  const bare = median(subjects[0]?.importsMs ?? []);

  return formatTable(subjects, [
    { title: 'framework', value: ({ name }) => name },
    { title: 'bytes', value: ({ sizeBytes }) => sizeBytes },
    { title: 'import ms', value: ({ importsMs }) => median(importsMs), digits: 1 },
    { title: 'over none', value: ({ importsMs }) => median(importsMs) - bare, digits: 1 },
    { title: 'warm µs', value: ({ warmUs }) => median(warmUs) },
  ]);
}
