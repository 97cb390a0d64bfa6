import { portSetting, readSettings } from '#scripts/dev/stack/settings.ts';
import { recount, repair } from './recount.ts';

/**
 * `npm run recount` compares a table's counters with the records they count. `-- --repair` fixes
 * them. TABLE_NAME and DYNAMODB_ENDPOINT select the table, which defaults to the running local
 * stack's. An empty DYNAMODB_ENDPOINT means AWS.
 */
async function main(options: readonly string[]): Promise<void> {
  const target = {
    tableName: process.env.TABLE_NAME ?? 'social-leads-local',
    endpoint:
      process.env.DYNAMODB_ENDPOINT ??
      `http://localhost:${portSetting(readSettings(), 'DYNAMODB_PORT')}`,
  };
  const differences = await recount(target);
  for (const { key, attribute, stored, counted } of differences) {
    console.log(`${key.pk} ${key.sk} ${attribute}: stored ${stored}, counted ${counted}`);
  }
  console.log(`${differences.length} differences in ${target.tableName}`);
  if (options.includes('--repair')) {
    await repair(target, differences);
    console.log('Repaired.');
  } else if (differences.length > 0) {
    process.exitCode = 1;
  }
}

await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
