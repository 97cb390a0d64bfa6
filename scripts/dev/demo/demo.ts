import { portSetting, readSettings } from '#scripts/dev/stack/settings.ts';
import { stepsOf } from './step.ts';
import { type Place, playStory } from './story.ts';

const answerWithinMs = 10_000;

/** Runs the main use case against the running stack and prints each step: `npm run demo`. */
async function main(): Promise<void> {
  const startedAtMs = performance.now();
  const settings = readSettings();
  const local = (name: string) => `http://localhost:${portSetting(settings, name)}`;
  const place: Place = {
    api: local('PORT'),
    lambda: local('LAMBDA_PORT'),
    sandbox: local('SANDBOX_PORT'),
    stage: settings.STAGE ?? '',
  };
  await requireStack(place);

  const step = stepsOf((line) => console.log(line), 'the output of `LOG=all npm start`');
  const { email, password } = await playStory(step, place);
  const seconds = ((performance.now() - startedAtMs) / 1_000).toFixed(1);

  console.log(
    [
      '',
      `Finished in ${seconds} s. See what the external services received: ${place.sandbox}/_sandbox`,
      `Explore the API at ${place.api}/docs. Log in as ${email} with the password "${password}".`,
    ].join('\n'),
  );
}

/** Throws if a part of the stack does not respond. */
async function requireStack({ api, lambda, sandbox }: Place): Promise<void> {
  await Promise.all(
    [`${api}/health`, lambda, `${sandbox}/_sandbox`].map(async (url) => {
      await fetch(url, { signal: AbortSignal.timeout(answerWithinMs) }).catch((cause: unknown) => {
        const { origin } = new URL(url);
        throw new Error(`No response from ${origin}. Start the stack first: npm start`, {
          cause,
        });
      });
    }),
  );
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
