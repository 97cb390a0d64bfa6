import { useLocalStackByDefault } from '#scripts/dev/stack/use-local-stack.ts';

/**
 * `npm run incident` publishes incidents and maintenance. Without a command, it prints the usage.
 * It uses the running local stack unless the shell sets TABLE_NAME. Then the shell's endpoints
 * apply, and AWS is the default.
 */
async function main(commandLine: readonly string[]): Promise<void> {
  useLocalStackByDefault();
  // Imported late, because clients read the environment when they are created.
  const { runIncidentCommand } = await import('./incident-command.ts');
  for (const line of await runIncidentCommand(commandLine)) {
    console.log(line);
  }
}

await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
