import { useLocalStackByDefault } from '#scripts/dev/stack/use-local-stack.ts';

/**
 * `npm run incident` tells everybody of incidents and of maintenance; without a command it says how.
 * Without TABLE_NAME in the shell it works on the running local stack; with it, the shell says where
 * the table is, and AWS is meant where no endpoint is named.
 */
async function main(commandLine: readonly string[]): Promise<void> {
  useLocalStackByDefault();
  // The clients are made as they load, from what the environment says then.
  const { runIncidentCommand } = await import('./incident-command.ts');
  for (const line of await runIncidentCommand(commandLine)) {
    console.log(line);
  }
}

await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
