import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import * as z from 'zod';
import { describeMachine } from '#scripts/bench/machine.ts';
import { localSecret } from '#scripts/dev/stack/local-secret.ts';
import { portSetting, readSettings, type Settings } from '#scripts/dev/stack/settings.ts';
import { type Measured, report } from './report.ts';
import { judgeSamples, type Sample, samplerOf } from './samples.ts';
import { type Kind, scenario } from './scenario.ts';
import { newTenant, type Tenant } from './tenants.ts';

const warmUpSeconds = 3;
const answerWithinSeconds = 30;
const sampleSeconds = 30;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    organizations: { type: 'string', default: '5' },
    /** Multiplies the scenario's number of connections. */
    times: { type: 'string', default: '1' },
    /** Calls per second, instead of as many as the service can answer. */
    rate: { type: 'string' },
    /** The process id of `npm start`: also samples its memory and queues. */
    'stack-pid': { type: 'string' },
  },
});
const wholeNumber = z.coerce.number().int().min(1);
const options = z
  .object({
    seconds: wholeNumber,
    organizations: wholeNumber,
    times: wholeNumber,
    rate: wholeNumber.optional(),
    'stack-pid': wholeNumber.optional(),
  })
  .parse(values);

/** Load-tests the running stack with a mix of calls and prints the results: `npm run load`. */
async function main(): Promise<void> {
  const settings = readSettings();
  const local = (name: string) => `http://localhost:${portSetting(settings, name)}`;
  const api = local('PORT');
  const [first, ...others] = await makeTenants(api, local('SANDBOX_PORT'));
  if (!first) {
    throw new Error('There are no organizations to test');
  }
  const kinds = scenario([first, ...others], signingSecret(settings));
  const connections = totalOf(kinds) * options.times;

  await runLoad(api, kinds, warmUpSeconds);
  const sampling = startSampling(local('AWS_PORT'), settings.STAGE ?? 'local');
  const { text, failed } = report(await runLoad(api, kinds, options.seconds));
  const { text: samples, problems } = judgeSamples(await sampling.stop());
  const pace = options.rate ? `, ${options.rate} calls per second` : '';
  console.log(describeMachine());
  console.log(
    `${connections} connections for ${options.seconds} s, in ${options.organizations} organizations${pace}\n`,
  );
  console.log(text);
  if (options['stack-pid']) {
    console.log(`\n${samples}`);
  }
  for (const problem of problems) {
    console.log(`  ! ${problem}`);
  }
  process.exitCode = failed === 0 && problems.length === 0 ? 0 : 1;
}

/** Takes samples until `stop` is called. None without the process id of the stack. */
function startSampling(aws: string, stage: string) {
  const pid = options['stack-pid'];
  const samples: Sample[] = [];
  if (pid === undefined) {
    return { stop: async () => samples };
  }
  const sample = samplerOf(aws, `${aws}/000000000000/social-leads-${stage}-`, pid);
  const take = async () => samples.push(await sample());
  const timer = setInterval(take, sampleSeconds * 1_000);

  return {
    stop: async () => {
      clearInterval(timer);
      await take();

      return samples;
    },
  };
}

function totalOf(kinds: readonly Kind[]): number {
  return kinds.reduce((sum, { connections }) => sum + connections, 0);
}

async function makeTenants(api: string, sandbox: string): Promise<readonly Tenant[]> {
  const tenants: Tenant[] = [];
  for (let count = 0; count < options.organizations; count += 1) {
    tenants.push(await newTenant(api, sandbox));
  }

  return tenants;
}

/** The secret that Facebook signs its events with, from the local stack's secret. */
function signingSecret(settings: Settings): string {
  const { FACEBOOK: app } = JSON.parse(localSecret(settings)).networks;

  return app.webhookSecret ?? app.clientSecret;
}

/**
 * Runs all kinds of calls in parallel, each on its own connections, as fast as the service
 * responds.
 */
async function runLoad(
  url: string,
  kinds: readonly Kind[],
  duration: number,
): Promise<readonly Measured[]> {
  return Promise.all(
    kinds.map(async ({ name, connections, next }) => ({
      name,
      result: await autocannon({
        url,
        connections: connections * options.times,
        duration,
        timeout: answerWithinSeconds,
        excludeErrorStats: true,
        ...(options.rate
          ? { overallRate: Math.max(1, Math.round((options.rate * connections) / totalOf(kinds))) }
          : {}),
        requests: [{ setupRequest: (defaults) => ({ ...defaults, ...next() }) }],
      }),
    })),
  );
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
