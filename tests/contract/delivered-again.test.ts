// In a process of its own: it listens to the table's client
import { describe, expect, it } from 'vitest';
import { forgetChecks } from '#lib/features/health/services/check-services.ts';
import { secondMs } from '#lib/platform/clock.ts';
import type { JobDefinition, WorkerDefinition } from '#schemas/contract.ts';
import { type JobKind, jobDefinitions, workerDefinitions } from '#schemas/messages.ts';
import {
  type Aftermath,
  aftermath,
  differenceOf,
  settle,
  startAnew,
} from '#tests/support/aftermath.ts';
import { lambdaContext } from '#tests/support/api.ts';
import { type Death, deathsOf, untilDeath, waitForNobody } from '#tests/support/deaths.ts';
import { depth } from '#tests/support/depth.ts';
import { scenesOf } from '#tests/support/registry/work-scenes.ts';

waitForNobody();

/** A worker, or a job that is run again until all is done, in a scene. */
type Subject = (WorkerDefinition | JobDefinition) & {
  readonly folder: string;
  readonly job?: JobKind;
};

const definitions: readonly Subject[] = [
  ...Object.values(workerDefinitions).map((worker) => ({ ...worker, folder: 'workers' })),
  ...Object.entries(jobDefinitions).map(([kind, job]) => ({
    ...job,
    folder: 'jobs',
    job: kind as JobKind,
  })),
];
const subjects = definitions.flatMap((definition) =>
  scenesOf(definition.name).map(([title, scene]) => ({ ...definition, title, scene })),
);

type Run = () => Promise<unknown>;

/** What comes of a subject's work in a world of its own, however it is called for it. */
async function outcomeOf<Result>(
  subject: (typeof subjects)[number],
  call: (run: Run) => Promise<Result>,
) {
  const { name, folder, job, timeoutSeconds, scene } = subject;
  await startAnew();
  const event = await scene();
  const { handler } = await import(`../../functions/${folder}/${name}.ts`);
  const result = await call(() => {
    forgetChecks();

    return handler(structuredClone(event), lambdaContext(timeoutSeconds * secondMs));
  });
  await settle(job ? [job] : []);

  return { result, left: await aftermath() };
}

const undisturbed = (run: Run) => untilDeath({ at: 'its answer' }, run);
const twiceAtOnce = (run: Run) => Promise.all([run(), run()]);

async function twice(run: Run): Promise<void> {
  await run();
  await run();
}

function dyingFirst(death: Death) {
  return async (run: Run) => {
    await untilDeath(death, run);
    await run();
  };
}

/** What was asked for may have been done, and cannot be asked again: nobody can say, and that is said. */
const saysUnknown: Readonly<Record<string, RegExp>> = {
  'content-publishing': /"failureCode":"OUTCOME_UNKNOWN"/,
  replies: /"status":"UNKNOWN"/,
  'token-refresh': /"inactiveReason":"The token renewal was interrupted/,
};

/** All is as it usually is, or it is said that nobody knows, and nothing was done more often. */
function expectAsUsual({ name }: Subject, left: Aftermath, usual: Aftermath, how: string): void {
  const { missing, added } = differenceOf(left, usual);
  if (added.some((item) => saysUnknown[name]?.test(item))) {
    expect.soft(left.final.length, how).toBeLessThanOrEqual(usual.final.length);

    return;
  }
  expect.soft({ missing, added }, how).toEqual({ missing: [], added: [] });
}

/** What they write says who is told, and what is begun: each death leaves something else. */
const deathsOfEach: Readonly<Record<string, number>> = { 'reply-planning': 6, replies: 6 };

describe('what workers and jobs do', () => {
  it.each(subjects)('is done once, however often they are called: $title', async (subject) => {
    const { left: usual, result } = await outcomeOf(subject, undisturbed);

    expectAsUsual(subject, (await outcomeOf(subject, twice)).left, usual, 'twice');
    expectAsUsual(subject, (await outcomeOf(subject, twiceAtOnce)).left, usual, 'twice at once');
    const deaths = [
      ...deathsOf(result.writes, depth(deathsOfEach[subject.title] ?? 2)),
      ...deathsOf(result.calls, depth(1), 'a call'),
    ];
    for (const death of deaths) {
      const { left } = await outcomeOf(subject, dyingFirst(death));
      expectAsUsual(subject, left, usual, JSON.stringify(death));
    }
  });
});
