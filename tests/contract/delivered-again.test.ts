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

/** A worker with a fixture, or a job that runs until it has nothing left to do. */
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

/** Runs a subject in a separate world and returns the resulting state. */
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

async function repeatedly(run: Run): Promise<void> {
  await Promise.all([run(), run()]);
  await run();
}

function crashingFirst(death: Death) {
  return async (run: Run) => {
    await untilDeath(death, run);
    await run();
  };
}

/** Reports of an unknown outcome, for requests that may have succeeded and cannot be checked. */
const unknownOutcomePatterns: Readonly<Record<string, RegExp>> = {
  'content-publishing': /"failureCode":"OUTCOME_UNKNOWN"|"firstComment":\{"status":"FAILED"/,
  replies: /"status":"UNKNOWN"/,
  'token-refresh': /"inactiveReason":"The token renewal was interrupted/,
};

/** Expects the usual result, or an unknown outcome without repeated effects. */
function expectUsualResult(
  { name }: Subject,
  left: Aftermath,
  usual: Aftermath,
  how: string,
): void {
  const { missing, added } = differenceOf(left, usual);
  if (added.some((item) => unknownOutcomePatterns[name]?.test(item))) {
    expect.soft(left.final.length, how).toBeLessThanOrEqual(usual.final.length);

    return;
  }
  expect.soft({ missing, added }, how).toEqual({ missing: [], added: [] });
}

/** These test more crash points, because each of their writes leaves different work behind. */
const crashPointCounts: Readonly<Record<string, number>> = { 'reply-planning': 3, replies: 3 };

describe('workers and jobs', () => {
  it.each(subjects)(
    'have the same effect when they run repeatedly or crash: $title',
    async (subject) => {
      const { left: usual, result } = await outcomeOf(subject, undisturbed);

      const repeated = await outcomeOf(subject, repeatedly);
      expectUsualResult(subject, repeated.left, usual, 'twice at once and once more');
      const deaths = [
        ...deathsOf(
          result.writes,
          depth(crashPointCounts[subject.title] ?? 1, Number.POSITIVE_INFINITY),
        ),
        ...deathsOf(result.calls, depth(1, Number.POSITIVE_INFINITY), 'a call'),
      ];
      for (const death of deaths) {
        const { left } = await outcomeOf(subject, crashingFirst(death));
        expectUsualResult(subject, left, usual, JSON.stringify(death));
      }
    },
  );
});
