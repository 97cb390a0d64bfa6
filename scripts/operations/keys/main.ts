import type { Key } from '#lib/platform/db/keys/key.ts';
import { useLocalStackByDefault } from '#scripts/dev/stack/use-local-stack.ts';

/**
 * `npm run keys:rotate` re-encrypts all social account tokens and webhook secrets with the newest
 * encryption key. With `-- --check`, it only tries to decrypt them. It uses the running local stack
 * unless the shell sets TABLE_NAME. Then TABLE_NAME, SECRET_ID and the shell's endpoints apply, and
 * AWS is the default.
 */
async function main(options: readonly string[]): Promise<void> {
  useLocalStackByDefault();
  await (options.includes('--check') ? check() : rotate());
}

// Modules are imported late because clients read the environment when they are created.
async function check(): Promise<void> {
  const { findUnreadable } = await import('./find-unreadable.ts');
  const { sealed, unreadable } = await findUnreadable();
  report(unreadable);
  console.log(`${sealed} tokens and secrets, ${unreadable.length} items can't be decrypted.`);
  process.exitCode = unreadable.length > 0 ? 1 : 0;
}

async function rotate(): Promise<void> {
  const { rotateKeys } = await import('./rotate-keys.ts');
  const { rotated, overtaken, unreadable } = await rotateKeys();
  report(unreadable);
  console.log(`Re-encrypted ${rotated} items with the newest key.`);
  if (overtaken > 0) {
    console.log(`${overtaken} items changed concurrently. Run this command again.`);
  }
  process.exitCode = overtaken + unreadable.length > 0 ? 1 : 0;
}

function report(unreadable: readonly Key[]): void {
  for (const { pk, sk } of unreadable) {
    console.log(`${pk} ${sk} can't be decrypted with any key in the secret`);
  }
}

await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
