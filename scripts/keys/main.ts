import { localEnvironment } from '#scripts/stack/local-environment.ts';
import { portSetting, readSettings } from '#scripts/stack/settings.ts';

/**
 * `npm run keys:rotate` puts all tokens of social accounts, and all secrets of webhooks, under
 * the newest encryption key.
 * Without TABLE_NAME in the shell it works on the running local stack; with it, the shell says where
 * the table and the secret are (TABLE_NAME, SECRET_ID), and AWS is meant where no endpoint is named.
 */
function useLocalStack(): void {
  const settings = readSettings();
  const at = (port: string) => `http://localhost:${portSetting(settings, port)}`;
  const addresses = {
    api: at('PORT'),
    dynamodb: at('DYNAMODB_PORT'),
    aws: at('AWS_PORT'),
    sandbox: at('SANDBOX_PORT'),
  };
  Object.assign(process.env, localEnvironment(addresses, settings));
}

async function main(): Promise<void> {
  if (!process.env.TABLE_NAME) {
    useLocalStack();
  }
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
