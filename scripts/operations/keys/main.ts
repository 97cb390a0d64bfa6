import { useLocalStackByDefault } from '#scripts/dev/stack/use-local-stack.ts';

/**
 * `npm run keys:rotate` puts all tokens of social accounts, and all secrets of webhooks, under
 * the newest encryption key.
 * Without TABLE_NAME in the shell it works on the running local stack; with it, the shell says where
 * the table and the secret are (TABLE_NAME, SECRET_ID), and AWS is meant where no endpoint is named.
 */
async function main(): Promise<void> {
  useLocalStackByDefault();
  // The clients are made as they load, from what the environment says then.
  const { rotateKeys } = await import('./rotate-keys.ts');
  const { rotated, overtaken, unreadable } = await rotateKeys();
  for (const { pk, sk } of unreadable) {
    console.log(`${pk} ${sk} opens with no key of the secret`);
  }
  console.log(`${rotated} items are under the newest key now.`);
  if (overtaken > 0) {
    console.log(`${overtaken} items kept changing: run it again.`);
  }
  process.exitCode = overtaken + unreadable.length > 0 ? 1 : 0;
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
