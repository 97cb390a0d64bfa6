import { portSetting, readSettings } from '#scripts/dev/stack/settings.ts';
import { recount, repair } from './recount.ts';

/**
 * `npm run recount` compares the counters of a table with what they count; `-- --repair` mends them.
 * TABLE_NAME and DYNAMODB_ENDPOINT name the table, the one of the running local stack by default. An
 * empty DYNAMODB_ENDPOINT is AWS itself.
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
    console.log(`${key.pk} ${key.sk} ${attribute}: ${stored}, counted ${counted}`);
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
