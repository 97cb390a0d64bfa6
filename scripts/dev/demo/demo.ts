import { portSetting, readSettings } from '#scripts/dev/stack/settings.ts';
import { stepsOf } from './step.ts';
import { type Place, playStory } from './story.ts';

const answerWithinMs = 10_000;

/** Plays the main job against the running stack and prints each step: `npm run demo`. */
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

  const step = stepsOf((line) => console.log(line), 'what `LOG=all npm start` prints');
  const { email, password } = await playStory(step, place);
  const seconds = ((performance.now() - startedAtMs) / 1_000).toFixed(1);

  console.log(
    [
      '',
      `All of it in ${seconds} s. The other side of it: ${place.sandbox}/_sandbox`,
      `Go on at ${place.api}/docs as ${email}, with the password "${password}".`,
    ].join('\n'),
  );
}

/** Says so where a part of the stack does not answer. */
async function requireStack({ api, lambda, sandbox }: Place): Promise<void> {
  await Promise.all(
    [`${api}/health`, lambda, `${sandbox}/_sandbox`].map(async (url) => {
      await fetch(url, { signal: AbortSignal.timeout(answerWithinMs) }).catch((cause: unknown) => {
        const { origin } = new URL(url);
        throw new Error(`Nothing answers at ${origin}: start the stack with \`npm start\` first.`, {
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
