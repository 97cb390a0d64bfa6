import { stepsOf } from '#scripts/dev/demo/step.ts';
import { portSetting, readSettings } from '#scripts/dev/stack/settings.ts';
import { rehearse } from './rehearse.ts';

/**
 * `npm run restore:rehearse` restores the table of the running local stack into a second stack and
 * checks it. Write nothing to the first stack until the table is copied.
 */
async function main(): Promise<void> {
  const startedAtMs = performance.now();
  const settings = readSettings();
  const endpoint =
    settings.DYNAMODB_ENDPOINT ?? `http://localhost:${portSetting(settings, 'DYNAMODB_PORT')}`;
  const step = stepsOf((line) => console.log(line), 'that `npm start` is running');
  await rehearse({ endpoint, tableName: settings.TABLE_NAME ?? '', settings }, step);
  const seconds = ((performance.now() - startedAtMs) / 1_000).toFixed(1);
  console.log(`The restored table works. Finished in ${seconds} s.`);
}

await main().then(
  // The clients of the checks keep connections open.
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
