import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import * as z from 'zod';
import { describeMachine } from '#scripts/bench/machine.ts';
import { localSecret } from '#scripts/dev/stack/local-secret.ts';
import { portSetting, readSettings, type Settings } from '#scripts/dev/stack/settings.ts';
import { type Measured, report } from './report.ts';
import { type Kind, scenario } from './scenario.ts';
import { newTenant, type Tenant } from './tenants.ts';

const warmUpSeconds = 3;
const answerWithinSeconds = 30;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    organizations: { type: 'string', default: '5' },
    /** Multiplies the scenario's number of connections. */
    times: { type: 'string', default: '1' },
  },
});
const wholeNumber = z.coerce.number().int().min(1);
const options = z
  .object({ seconds: wholeNumber, organizations: wholeNumber, times: wholeNumber })
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
  const connections = kinds.reduce((sum, kind) => sum + kind.connections, 0) * options.times;

  await runLoad(api, kinds, warmUpSeconds);
  const { text, failed } = report(await runLoad(api, kinds, options.seconds));
  console.log(describeMachine());
  console.log(
    `${connections} connections for ${options.seconds} s, in ${options.organizations} organizations\n`,
  );
  console.log(text);
  process.exitCode = failed === 0 ? 0 : 1;
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
        requests: [{ setupRequest: (defaults) => ({ ...defaults, ...next() }) }],
      }),
    })),
  );
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
