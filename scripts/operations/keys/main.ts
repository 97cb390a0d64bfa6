import { useLocalStackByDefault } from '#scripts/dev/stack/use-local-stack.ts';

/**
 * `npm run keys:rotate` re-encrypts all social account tokens and webhook secrets with the newest
 * encryption key. It uses the running local stack unless the shell sets TABLE_NAME. In that case
 * TABLE_NAME, SECRET_ID and the shell's endpoints apply, and AWS is the default.
 */
async function main(): Promise<void> {
  useLocalStackByDefault();
  // Imported late because clients read the environment when they are created.
  const { rotateKeys } = await import('./rotate-keys.ts');
  const { rotated, overtaken, unreadable } = await rotateKeys();
  for (const { pk, sk } of unreadable) {
    console.log(`${pk} ${sk} can't be decrypted with any key in the secret`);
  }
  console.log(`Re-encrypted ${rotated} items with the newest key.`);
  if (overtaken > 0) {
    console.log(`${overtaken} items changed concurrently. Run this command again.`);
  }
  process.exitCode = overtaken + unreadable.length > 0 ? 1 : 0;
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
