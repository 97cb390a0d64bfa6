import { jobs } from '#schemas/index.ts';
import { invokeFunction } from './invoke-function.ts';
import { portSetting, readSettings } from './settings.ts';

const startHint =
  'Start the stack first: npm start. If it uses other ports, set the same LAMBDA_PORT here.';

/** Runs a scheduled function of the running stack now: `npm run job -- due-work`. */
async function main([name]: readonly string[]): Promise<void> {
  const job = jobs.find((one) => one.name === name);
  if (!job) {
    throw new Error(`${name ? `Unknown job "${name}".` : 'No job given.'} Jobs:\n${listOfJobs()}`);
  }
  const settings = readSettings();
  const lambdaUrl = `http://localhost:${portSetting(settings, 'LAMBDA_PORT')}`;
  const { failed, payload } = await invokeFunction(
    lambdaUrl,
    `social-leads-${settings.STAGE}-${job.name}`,
    {},
  ).catch((cause: unknown) => {
    throw new Error(`No response from ${lambdaUrl}. ${startHint}`, {
      cause,
    });
  });
  console.log(JSON.stringify(payload, null, 2));
  if (failed) {
    throw new Error(`${job.name} failed.`);
  }
}

function listOfJobs(): string {
  const width = Math.max(...jobs.map((job) => job.name.length));

  return jobs
    .map((job) => `  ${job.name.padEnd(width)}  ${job.schedule.padEnd(16)}  ${job.description}`)
    .join('\n');
}

await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
